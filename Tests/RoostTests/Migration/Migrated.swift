import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostTesting
import Testing

/// A store that programs of several versions open, one after the other.
final class Migrated: Sendable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var url: URL { folder.store }

  func configuration(
    _ options: ModelConfiguration.MigrationOptions = .init(), reportsArguments: Bool = false
  ) -> ModelConfiguration {
    var configuration = ModelConfiguration(url: url)
    configuration.storeOptions.migration = options
    configuration.storeOptions.reportsArguments = reportsArguments
    return configuration
  }

  /// Opens the store with some models, and saves what `body` changes.
  @discardableResult
  func open<Result>(
    _ types: any PersistentModel.Type..., mayDrop: Set<String> = [], plan: (any SchemaMigrationPlan.Type)? = nil,
    _ body: (ModelContext) throws -> Result
  ) throws -> Result {
    let container = try ModelContainer(
      for: Schema(types), migrationPlan: plan, configurations: [configuration(.init(mayDrop: mayDrop))])
    let context = ModelContext(container)
    let result = try body(context)
    try context.save()
    try container.close()
    return result
  }

  /// Why the store cannot be opened with some models; none if it can.
  func obstacles(
    _ types: any PersistentModel.Type..., mayDrop: Set<String> = [], plan: (any SchemaMigrationPlan.Type)? = nil,
    reportsArguments: Bool = true
  ) throws -> [MigrationObstacle] {
    do {
      let configuration = configuration(.init(mayDrop: mayDrop), reportsArguments: reportsArguments)
      try ModelContainer(for: Schema(types), migrationPlan: plan, configurations: [configuration]).close()
      return []
    } catch let error as SwiftDataError where !error.obstacles.isEmpty {
      return error.obstacles
    }
  }

  func connection() throws -> Connection { try Connection(ConnectionOptions(location: .file(path: url.path))) }

  /// The first column of what a query finds.
  func strings(_ sql: String) throws -> [String] { try Self.strings(url, sql) }

  static func strings(_ store: URL, _ sql: String) throws -> [String] {
    let connection = try Connection(ConnectionOptions(location: .file(path: store.path)))
    defer { connection.close() }
    return try connection.texts(sql)
  }

  /// Checks that the file is whole, and that its tables are those of a store that the models are new in.
  func checkFile(_ types: any PersistentModel.Type..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    try checkFile(types, sourceLocation: sourceLocation)
  }

  func checkFile(_ types: [any PersistentModel.Type], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let fresh = try Migrated()
    try ModelContainer(for: Schema(types), configurations: [fresh.configuration()]).close()
    let (own, expected) = (try shape(), try fresh.shape())
    #expect(own == expected, sourceLocation: sourceLocation)
    #expect(try strings("PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
    #expect(try strings("PRAGMA foreign_key_check") == [], sourceLocation: sourceLocation)
    let recorder = StatementRecorder()
    let container = try ModelContainer(for: Schema(types), configurations: [configuration().recording(to: recorder)])
    try container.close()
    let writes = recorder.statements.filter { sql in
      ["CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
    }
    #expect(writes == [], "a migrated store is opened as it is", sourceLocation: sourceLocation)
  }

  /// Columns with what they are, and the SQL of all indexes and triggers. An empty list of waiting rows is no difference.
  private func shape() throws -> Set<String> {
    Set(
      try strings(
        """
        SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || (c.pk > 0) || ' ' || ifnull((
          SELECT k."table" || ' ' || k.on_delete FROM pragma_foreign_key_list(m.name) k WHERE k."from" = c.name), '')
        FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name <> '_roost_backfill'
        UNION ALL SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
        UNION ALL SELECT name || ': ' || definition FROM _roost_entity
        """))
  }
}

extension Connection {
  func texts(_ sql: String) throws -> [String] {
    let statement = try statement(sql)
    defer { statement.reset() }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(0)) }
    return texts
  }
}
