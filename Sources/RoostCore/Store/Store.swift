import Foundation
package import Logging
package import RoostEngine
import RoostSQL
package import Synchronization

/// A file that has the tables of a schema, and the connections to it.
package struct OpenedFile {
  package let pool: Pool
  package let identifier: String
  package let schemaGuard: SchemaGuard
  /// What rows still wait for.
  package let backfills: (any Backfilling)?
  /// What of changes is remembered.
  package let history: ModelConfiguration.HistoryOptions

  package init(
    pool: Pool, identifier: String, schemaGuard: SchemaGuard, backfills: (any Backfilling)?,
    history: ModelConfiguration.HistoryOptions
  ) {
    self.history = history
    self.pool = pool
    self.identifier = identifier
    self.schemaGuard = schemaGuard
    self.backfills = backfills
  }
}

/// One SQLite file, or in-memory database, behind a container.
package final class Store: Sendable {
  package let configuration: ModelConfiguration
  package let schema: SchemaInfo
  package let pool: Pool
  package let identifier: String
  /// The identifiers' common parts, by entity.
  package let scopes: [IdentifierScope]
  package var logger: Logger { Store.logger }
  /// Made anew each time, as a program may set up its logging after it has opened a store.
  package static var logger: Logger { Logger(label: "roost") }
  private let entityStatements: [EntityStatements]
  /// What statements of programs' own do, by their SQL.
  package let statementFacts = Mutex<[String: StatementFacts]>([:])
  /// What queries that were asked before are in SQL.
  package let queryTexts = QueryTexts()
  /// What history calls the models and their properties; nil until somebody has asked.
  let knownNumbers = Mutex<HistoryNumbers?>(nil)
  /// Counts the saves of this process, so that a context knows when what it read may be old.
  package let generation = Atomic<Int>(0)
  /// The last transaction of history that this store has made; 0 for none.
  let lastRecorded = Atomic<Int64>(0)
  /// Who is told of what is written.
  package let observers: StoreObservers
  /// Notices when the tables become those of other models.
  package let schemaGuard: SchemaGuard
  /// What rows still wait for; nil when there was nothing as the store was opened.
  package let backfills: (any Backfilling)?
  /// What of changes is remembered; nothing in the midst of a migration.
  package let history: ModelConfiguration.HistoryOptions
  /// Entities whose plain indexes are not there yet.
  let missingIndexes: Mutex<Set<Int>>
  /// The keys that are kept for the next saves, by the root's ordinal.
  let keyBlocks = Mutex<[Int: KeyBlock]>([:])
  /// What works on the store beside its contexts.
  package let companion = Mutex<(any StoreCompanion)?>(nil)
  /// How attributes are merged that others change while a context has an edit of them to save; nil where none is.
  package let merges = Mutex<AttributeMerges?>(nil)
  /// Is called before the program deletes rows, outside of any transaction; nil where nobody looks at them first.
  package let beforeDeletion = Mutex<(@Sendable () -> Void)?>(nil)
  /// Where large values are; nil when no attribute is `.externalStorage`, and in memory.
  package let files: ExternalFiles?

  /// A store whose file was opened, and has the tables of the schema.
  package init(_ configuration: ModelConfiguration, schema: SchemaInfo, _ opened: OpenedFile) throws {
    self.configuration = configuration
    self.schema = schema
    schemaGuard = opened.schemaGuard
    identifier = opened.identifier
    backfills = opened.backfills
    history = opened.history
    pool = opened.pool
    missingIndexes = Mutex([])
    observers = StoreObservers(OutsideWrites(pool, every: configuration.storeOptions.pollingInterval))
    files = try Self.files(configuration, schema, pool)
    let identifier = identifier
    scopes = schema.entities.map {
      IdentifierScope(storeIdentifier: identifier, entityName: $0.name, ordinal: $0.ordinal)
    }
    entityStatements = schema.entities.map(EntityStatements.init)
    if configuration.allowsSave { missingIndexes.withLock { $0 = (try? entitiesWithoutIndexes()) ?? [] } }
    sweepFiles()
    CoreDataNotifications.opened(self)
  }

  /// A store in the middle of its migration, as one version of its models has it.
  package init(_ configuration: ModelConfiguration, migrating pool: Pool, schema: SchemaInfo) throws {
    self.configuration = configuration
    self.schema = schema
    self.pool = pool
    let identifier = try pool.read { try StoreCatalog($0).value(.identifier) } ?? ""
    self.identifier = identifier
    missingIndexes = Mutex([])
    backfills = nil
    history = .off
    schemaGuard = SchemaGuard(schema, url: configuration.url)
    observers = StoreObservers(OutsideWrites(pool, every: .zero))
    files = try Self.files(configuration, schema, pool)
    scopes = schema.entities.map {
      IdentifierScope(storeIdentifier: identifier, entityName: $0.name, ordinal: $0.ordinal)
    }
    entityStatements = schema.entities.map(EntityStatements.init)
  }

  deinit { try? close() }

  /// Makes what is missing and closes the file.
  func close() throws {
    endCompanion()
    if pool.isClosed { return }
    ensureIndexes()
    pruneHistory()
    returnKeys()
    try SwiftDataError.translating { try pool.close() }
  }

  /// The ordinal of the entity whose keys an entity shares: its root's.
  func rootOrdinal(_ ordinal: Int) -> Int { schema.rootOrdinals?[ordinal] ?? ordinal }

  /// The entity whose rows have a scope's identifiers, if it is the store's own.
  func entity(of scope: IdentifierScope) -> EntityInfo? {
    guard let ordinal = scope.ordinal, ordinal < scopes.count, scopes[ordinal] === scope else { return nil }
    return schema.entities[ordinal]
  }

  package func statements(_ entity: EntityInfo) -> EntityStatements { entityStatements[entity.ordinal] }

  /// A row whose column holds no value of its property's type; `refusal` is what that type says of it.
  func corruptValue(
    _ entity: EntityInfo, _ property: Int, key: Int64, _ refusal: (any Error)? = nil
  ) -> SwiftDataError {
    let name = entity.properties[property].name
    var message = "The column holds no value of the property's type"
    var remedy = look(at: entity.properties[property].column ?? name, entity, key)
    if let refusal {
      let reason = SwiftDataError.reason(refusal, tellsValues: configuration.storeOptions.reportsArguments)
      message += ": \(reason)"
      remedy += ", have the type take it, or set the property of context.model(for: error.row) anew."
    } else {
      message += "."
    }
    return SwiftDataError(
      .corruptValue, message, model: entity.name, property: name,
      row: PersistentIdentifier(scope: scopes[entity.ordinal], key: key), remedy: remedy)
  }

  /// A row whose type column names no class that it could be of.
  package func unknownType(_ entity: EntityInfo, _ name: String, key: Int64) -> SwiftDataError {
    let root = entity.root
    return SwiftDataError(
      .corruptValue, "The row is of the class \"\(name)\", which the schema does not have among \(root.name)'s.",
      model: root.name, property: entityNameColumn,
      row: PersistentIdentifier(scope: scopes[root.ordinal], key: key),
      remedy: "Make the container for that class too, or name another. " + look(at: entityNameColumn, root, key))
  }

  private func look(at column: String, _ entity: EntityInfo, _ key: Int64) -> String {
    "Look at it with: SELECT \(quotedIdentifier(column)) FROM \(quotedIdentifier(entity.table)) "
      + "WHERE \(primaryKeyColumn) = \(key)"
  }
}
