import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
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
    _ types: any PersistentModel.Type..., mayDrop: Set<String> = [],
    drops: ModelConfiguration.MigrationOptions.Drops = .allow, plan: (any SchemaMigrationPlan.Type)? = nil,
    _ body: (ModelContext) throws -> Result
  ) throws -> Result {
    CapturedLog.begin()
    let container = try ModelContainer(
      for: Schema(types), migrationPlan: plan, configurations: [configuration(.init(mayDrop: mayDrop, drops: drops))])
    let context = ModelContext(container)
    let result = try body(context)
    try context.save()
    try container.close()
    return result
  }

  /// Why the store cannot be opened with some models; none if it can.
  func obstacles(
    _ types: any PersistentModel.Type..., mayDrop: Set<String> = [],
    drops: ModelConfiguration.MigrationOptions.Drops = .allow, plan: (any SchemaMigrationPlan.Type)? = nil,
    reportsArguments: Bool = true
  ) throws -> [MigrationObstacle] {
    CapturedLog.begin()
    do {
      let configuration = configuration(.init(mayDrop: mayDrop, drops: drops), reportsArguments: reportsArguments)
      try ModelContainer(for: Schema(types), migrationPlan: plan, configurations: [configuration]).close()
      return []
    } catch let error as SwiftDataError where !error.obstacles.isEmpty {
      return error.obstacles
    }
  }

  /// Checks what the log says was dropped, as `Note.body 2`, and that the backup of that is there and stays.
  ///
  /// Returns the backup's file.
  @discardableResult
  func checkDropped(
    _ expected: Set<String>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> URL {
    let lines = CapturedLog.lines(about: url).filter { $0.message.contains("was dropped") }
    #expect(
      Set(lines.map { "\($0.metadata["dropped"] ?? "") \($0.metadata["rows"] ?? "")" }) == expected,
      sourceLocation: sourceLocation)
    #expect(lines.count == expected.count && lines.allSatisfy { $0.level == "warning" }, sourceLocation: sourceLocation)
    let backup = try #require(lines.first?.metadata["backup"], sourceLocation: sourceLocation)
    #expect(lines.allSatisfy { $0.metadata["backup"] == backup }, sourceLocation: sourceLocation)
    let listed = try ModelContainer.backups(of: configuration()).map(\.url.path)
    #expect(listed.contains(backup), sourceLocation: sourceLocation)
    return URL(filePath: backup)
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

  /// Columns with what they are, and the SQL of all indexes and triggers. An empty list of waiting rows is no
  /// difference, nor are the numbers that history gave to properties.
  private func shape() throws -> Set<String> {
    Set(
      try strings(
        """
        SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || (c.pk > 0) || ' ' || ifnull((
          SELECT k."table" || ' ' || k.on_delete FROM pragma_foreign_key_list(m.name) k WHERE k."from" = c.name), '')
        FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name <> '_roost_backfill'
        UNION ALL SELECT iif(name GLOB '_roost_history_*', name, sql) FROM sqlite_schema
        WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
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
