import Foundation
import Logging
import RoostCore
import RoostEngine
import RoostSQL

/// A file that has the program's schema.
struct PreparedFile {
  let identifier: String
  /// SQLite's number of the latest change of its tables.
  let schemaVersion: Int64
  let backfills: [Backfill.Note]
  /// What the file says of history.
  let history: ModelConfiguration.HistoryOptions

  init(_ connection: Connection) throws {
    identifier = try StoreCatalog(connection).value(.identifier) ?? ""
    schemaVersion = try connection.schemaVersion()
    backfills = try Backfill.notes(connection)
    history = try HistorySetup.recorded(connection)
  }
}

/// Brings a file to the schema the program has, or says why it cannot.
struct StoreSetup {
  private static let formatVersion = "1"

  let pool: Pool
  let schema: SchemaInfo
  /// The number that the program gives its schema.
  let version: Schema.Version?
  let plan: (any SchemaMigrationPlan.Type)?
  let configuration: ModelConfiguration
  let logger: Logger
  let monitor: MigrationMonitor?

  /// What a file is to the program.
  private enum State {
    case empty
    case current(Current)
    case other(StoreDefinition)
  }

  /// A store whose tables are as the program has them.
  private struct Current {
    let file: PreparedFile
    /// What the file says otherwise of entities, without any row being different for it.
    let outdated: [EntityDefinition]
    let fullText: FullTextChanges
    let isOtherVersion: Bool
    let recordsHistory: Bool

    var isUpToDate: Bool { outdated.isEmpty && fullText.isEmpty && !isOtherVersion && recordsHistory }
  }

  /// Creates what is missing in an empty file, and migrates a file that has another schema.
  func prepare() throws -> PreparedFile {
    do {
      // The schema and what tells its next change are of one moment.
      let state: State = try pool.read { connection in
        try connection.transaction(.deferred) { try self.state(connection) }
      }
      if case .current(let store) = state, store.isUpToDate {
        MigrationBackup.tidy(pool, try definition, configuration, logger)
        return store.file
      }
      if !configuration.allowsSave, !configuration.isStoredInMemoryOnly { return try readOnly(state) }
      let file = try withOutcome { outcome in
        try pool.write { connection in
          try preparedForTables(connection) {
            try connection.transaction(.immediate) { try bringUpToDate(connection, &outcome) }
          }
        }
      }
      if case .other = state { removeUselessFiles() }
      return file
    } catch let error as DatabaseError {
      throw Self.lackOfFullText(error, configuration) ?? SwiftDataError.opening(configuration, error)
    }
  }

  /// A migration that failed has left the store as it was, which then needs no backup.
  private func withOutcome<Result>(_ body: (inout Migration.Outcome) throws -> Result) throws -> Result {
    var outcome = Migration.Outcome()
    do {
      let result = try body(&outcome)
      if !configuration.storeOptions.migration.isRehearsal { log(outcome) }
      return result
    } catch {
      outcome.backup?.discard(after: error, configuration)
      throw error
    }
  }

  /// Says what went that the program does not declare any more.
  private func log(_ outcome: Migration.Outcome) {
    for drop in outcome.drops {
      logger.warning(
        "What the program does not declare any more was dropped from the store",
        metadata: [
          "dropped": "\(drop.name)", "rows": "\(drop.rowCount)", "backup": "\(outcome.backup?.url.path ?? "none")",
          "store": "\(configuration.isStoredInMemoryOnly ? "in memory" : configuration.url.path)",
        ])
    }
  }

  /// A store that had values in files may have them in its rows now. Otherwise its opening looks for useless files.
  private func removeUselessFiles() {
    guard schema.externalEntities.isEmpty, !configuration.isStoredInMemoryOnly else { return }
    let files = ExternalFiles(of: configuration.url)
    for name in (try? files.names()) ?? [] { files.remove(name) }
  }

  /// Does something with foreign keys off, with which tables cannot be replaced, and sorts for indexes in files.
  ///
  /// The file is not mapped meanwhile: a disk that fails under a map ends the program. What is committed is on the
  /// disk, before files go that the former schema had values in. None of this can be switched within a transaction.
  private func preparedForTables<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
    try connection.execute("PRAGMA foreign_keys=0")
    try connection.sortInFiles(true)
    try connection.mapFile(false)
    let isNormal = configuration.storeOptions.durability == .normal
    if isNormal { try connection.execute("PRAGMA synchronous=FULL") }
    let result = Swift.Result { try body() }
    try connection.execute("PRAGMA foreign_keys=1")
    try connection.sortInFiles(false)
    try connection.mapFile(true)
    if isNormal { try connection.execute("PRAGMA synchronous=NORMAL") }
    return try result.get()
  }

  /// Another program may have done it since the file was looked at.
  private func bringUpToDate(_ connection: Connection, _ outcome: inout Migration.Outcome) throws -> PreparedFile {
    var migrated: StoreDefinition?
    switch try state(connection) {
    case .empty:
      // The program's mistakes in its plan show in its first run.
      if let plan { _ = try MigrationRoute(plan, from: definition, to: definition) }
      try create(connection)
    case .current(let store):
      try Self.apply(store.fullText, connection)
      for definition in store.outdated { try Self.describe(definition, connection) }
      if store.isOtherVersion { try Self.setVersion(version, connection) }
    case .other(let stored):
      try history(connection).suspend(former: try? DescribedSchemaBuilder(DescribedSchema(stored)).info)
      try Migration(connection, setup: self).run(from: stored, to: definition, &outcome)
      migrated = stored
    }
    let damage = try history(connection).apply(afterMigration: migrated != nil)
    if let migrated { try history(connection).noteMigration(from: migrated.version, to: version) }
    if !damage.isEmpty {
      logger.warning(
        "Another program has dropped a part of the store's history, which was made anew; places in it have expired",
        metadata: ["dropped": "\(damage.joined(separator: ", "))"])
    }
    return try PreparedFile(connection)
  }

  /// A store that can be read as it is.
  private func readOnly(_ state: State) throws -> PreparedFile {
    let (problem, refusal, alternative): (String, String, String)
    switch state {
    case .current(let store):
      guard let index = store.fullText.made.first else { return store.file }
      (problem, refusal, alternative) = ("The file lacks the full-text index \(index.name)", "does not make it", "")
    case .empty:
      (problem, refusal, alternative) = (
        "The file holds no Roost store", "does not create one", ", or check the path"
      )
    case .other(let stored):
      let lines = try definition.changes(since: stored)
      let differences =
        lines.isEmpty ? "keys of structs, by a stage of the plan" : lines.joined(separator: "\n  ")
      (problem, refusal, alternative) = (
        "The store has another schema than the program:\n  \(differences)\nThat needs a migration",
        "does not migrate", ", or use the models that it was made with"
      )
    }
    throw SwiftDataError.loadIssue(
      "\(problem), and a read-only configuration \(refusal).", url: configuration.url,
      remedy: "Open it once with allowsSave: true\(alternative).", underlying: nil)
  }

  private func history(_ connection: Connection) -> HistorySetup {
    HistorySetup(schema, configuration.storeOptions.history, connection)
  }

  /// The schema that the file should have.
  private var definition: StoreDefinition { get throws { try StoreDefinition(schema, version: version) } }

  // MARK: - Making

  private func create(_ connection: Connection) throws {
    try StoreCatalog(connection).create()
    for entity in schema.entities {
      for statement in TableDefinitions.statements(for: entity, in: schema) { try Self.run(statement, connection) }
      try Self.describe(try EntityDefinition(entity), lastKey: 0, connection)
    }
    for index in schema.fullTextIndexes { try Self.make(index, connection) }
    for table in schema.joinTables {
      for statement in TableDefinitions.statements(for: table) { try Self.run(statement, connection) }
    }
    let catalog = StoreCatalog(connection)
    try catalog.set(.identifier, UUID().uuidString)
    try catalog.set(.format, Self.formatVersion)
    try FileCipher.makeKey(connection)
    try Self.setVersion(version, connection)
  }

  private static func run(_ statement: SQLStatement, _ connection: Connection) throws {
    try connection.execute(SQLitePrinter.print(statement).sql)
  }

  /// Notes what an entity is; its last key stays what it is unless one is given.
  static func describe(_ definition: EntityDefinition, lastKey: Int64? = nil, _ connection: Connection) throws {
    let statement = try connection.statement(
      """
      INSERT INTO _roost_entity (name, last_key, definition) VALUES (?, ifnull(?, 0), ?) \
      ON CONFLICT (name) DO UPDATE SET definition = excluded.definition
      """)
    statement.bind(definition.name, at: 1)
    statement.bind(lastKey.map { SQLValue.integer($0) } ?? .null, at: 2)
    statement.bind(try definition.json(), at: 3)
    try statement.run()
  }

  static func setVersion(_ version: Schema.Version?, _ connection: Connection) throws {
    if let version { try StoreCatalog(connection).set(.version, version.description) }
  }

  // MARK: - Looking

  /// Sees that a file with some tables is a store that this release reads.
  static func checkFormat(_ connection: Connection, _ tables: [String], _ url: URL, remedy: String) throws {
    guard StoreCatalog.tables.isSubset(of: tables) else {
      if let maker = try AppleStore.maker(connection, tables) { throw AppleStore.error(maker, url, remedy: remedy) }
      throw SwiftDataError.loadIssue(
        "The file is an SQLite database of another program: it has tables, but none of Roost's.", url: url,
        remedy: remedy, underlying: nil)
    }
    let format = try StoreCatalog(connection).value(.format)
    guard format == formatVersion else {
      throw SwiftDataError.loadIssue(
        "The store has format \(format ?? "unknown"), this version of Roost reads \(formatVersion).", url: url,
        remedy: "Update Roost.", underlying: nil)
    }
  }

  private func state(_ connection: Connection) throws -> State {
    let tables = try connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'")
    if tables.isEmpty { return .empty }
    try Self.checkFormat(connection, tables, configuration.url, remedy: "Choose another url for the store.")
    let stored = try StoreDefinition(of: connection, url: configuration.url)
    let definition = try definition
    guard definition.isServed(by: stored, under: plan) else { return .other(stored) }
    return .current(
      Current(
        file: try PreparedFile(connection),
        outdated: definition.entities.filter { stored.entity(named: $0.name) != $0 },
        fullText: try Self.fullTextChanges(
          connection, schema, stored: stored.entities.flatMap { $0.fullText ?? [] }),
        isOtherVersion: plan != nil && version != stored.version,
        recordsHistory: try history(connection).isUpToDate))
  }
}
