import Foundation
package import RoostCore
package import RoostEngine
import RoostSQL
import Synchronization

/// A migration of a store's copy, which is removed afterwards.
struct MigrationRehearsal {
  let schema: Schema
  let plan: (any SchemaMigrationPlan.Type)?
  let configuration: ModelConfiguration

  func run() throws -> MigrationReport {
    let folder = FileManager.default.temporaryDirectory.appending(path: "roost-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let wanted = try StoreDefinition(schema.info(), version: schema.version(in: plan))
    let log = ChangeLog()
    let copy = configuration(in: folder, log)
    if !configuration.isStoredInMemoryOnly {
      do {
        try StoreFile.checkOwner(of: configuration.url, configuration.key, remedy: "Choose another url for the store.")
      } catch {
        var report = MigrationReport(copied: [:], wanted, from: StoreDefinition(), under: plan)
        report.failure = error
        return report
      }
    }
    var (stored, before): (StoreDefinition?, [String: Int]) = (nil, [:])
    do {
      // Nobody else reads what only this user may read.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      (stored, before) = try copyStore(to: copy.url)
    } catch {
      throw failure(error, folder)
    }
    guard let stored else { return MigrationReport(copied: [:], wanted, from: nil, under: plan) }
    var report = MigrationReport(copied: before, wanted, from: stored, under: plan)
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let info = try schema.info()
      _ = try configuration.checkCompanion(info, of: schema.programVersion(in: plan))
      if plan == nil, report.isNeeded {
        report.drops = try StoreFile.read(copy.url, copy.key) { file in
          try file.migrator(to: info).verdict(on: wanted, configuration.storeOptions.migration).drops
        }
      }
      try ModelContainer(for: schema, migrationPlan: plan, configurations: [copy]).close()
      report.duration = clock.now - start
      report.rowsAfter = try rows(of: copy)
    } catch let error as SwiftDataError where !error.obstacles.isEmpty {
      report.obstacles = error.obstacles
      if error != .loadIssueModelContainer { report.failure = error }
    } catch {
      report.failure = error
    }
    if let plan, report.isNeeded, let route = try? MigrationRoute(plan, from: stored, to: wanted) {
      report.stages = route.legs.map { "\($0.from.name) → \($0.to.name)" }
    }
    report.statements = log.statements
    return report
  }

  /// The copy's configuration: as the store's, but nothing of it need survive.
  private func configuration(in folder: URL, _ log: ChangeLog) -> ModelConfiguration {
    var copy = ModelConfiguration(configuration.name, url: folder.appending(path: configuration.url.lastPathComponent))
    copy.encryption = configuration.encryption
    copy.storeOptions = configuration.storeOptions
    copy.storeOptions.durability = .none
    copy.storeOptions.migration.backups = .none
    copy.storeOptions.migration.backupFolder = nil
    copy.storeOptions.migration.isRehearsal = true
    copy.storeOptions.migration.backfillsInBackground = false
    copy.storeOptions.recorder = StatementRecorder(keepsAll: false) { log.add($0) }
    return copy
  }

  /// Copies the rows as they are now, and what files they name; nil when there is no store.
  private func copyStore(to url: URL) throws -> (StoreDefinition?, [String: Int]) {
    var options = try configuration.connectionOptions
    if !configuration.isStoredInMemoryOnly {
      guard FileManager.default.fileExists(atPath: configuration.url.path) else { return (nil, [:]) }
      // Whoever may only read leaves the log's files behind.
      if options.mode == .readWriteCreate { options.mode = .readWrite }
      options.makesWriteAheadLog = false
    }
    let source = try Connection(options)
    defer { source.close() }
    try source.execute("PRAGMA query_only=1")
    // The copy is of the same moment as what is read here.
    return try source.transaction(.deferred) {
      let tables = try source.strings("SELECT name FROM sqlite_schema")
      if tables.isEmpty { return (nil, [:]) }
      let isStore = tables.contains("_roost_entity")
      let stored = isStore ? try StoreDefinition(of: source, url: configuration.url) : nil
      if let stored, !configuration.isStoredInMemoryOnly {
        try ExternalFiles(of: configuration.url).copy(
          try source.externalNames(in: stored.externalColumns), to: ExternalFiles(of: url), isLinking: true,
          skipsMissing: true)
      }
      let copy = try Connection(
        ConnectionOptions(location: .file(path: url.path), makesWriteAheadLog: false, key: options.key))
      defer { copy.close() }
      try source.backup(to: copy)
      // What is no store is told so by the opening.
      return (stored ?? StoreDefinition(), try stored.map { try $0.rowCounts(source) } ?? [:])
    }
  }

  private func rows(of copy: ModelConfiguration) throws -> [String: Int] {
    let connection = try Connection(copy.options(forCopy: copy.url))
    defer { connection.close() }
    return try StoreDefinition(of: connection, url: copy.url).rowCounts(connection)
  }

  private func failure(_ error: any Error, _ folder: URL) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let cause = SwiftDataError.reading(error)
    return SwiftDataError(
      cause.code, "The store could not be copied to \(folder.path) for a dry run. \(cause.message)",
      remedy: cause.remedy, underlying: error, url: configuration.url)
  }
}

/// The statements that change something in the file.
private final class ChangeLog: Sendable {
  private struct State {
    var statements: [MigrationReport.Statement] = []
    var places: [String: Int] = [:]
  }

  private static let others = [
    "SELECT", "PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "EXPLAIN", "--", "CREATE TEMP",
    "DROP VIEW IF EXISTS temp",
  ]
  private let state = Mutex(State())

  func add(_ text: String) {
    let sql = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if Self.others.contains(where: sql.hasPrefix) { return }
    state.withLock { state in
      if let place = state.places[sql] {
        state.statements[place].count += 1
      } else {
        state.places[sql] = state.statements.count
        state.statements.append(MigrationReport.Statement(sql: sql, count: 1))
      }
    }
  }

  var statements: [MigrationReport.Statement] { state.withLock { $0.statements } }
}

extension StoreDefinition {
  /// The number of rows of each model, by its name, and of each join table.
  package func rowCounts(_ connection: Connection) throws -> [String: Int] {
    let schema = StoredSchema(self)
    var counts: [String: Int] = [:]
    func count(_ name: String, _ table: String, where condition: SQLExpression? = nil) throws {
      let text = SQLitePrinter.print(SQLSelect([SQLResultColumn(.countAll)], from: .table(table), where: condition))
      let statement = try connection.statement(text.sql)
      defer { statement.reset() }
      statement.bind(text.arguments)
      counts[name] = try statement.step() ? Int(statement.int64(0)) : 0
    }
    for entity in entities {
      let names = schema.family(entity).map { SQLExpression.text($0.name) }
      let isKind = entity.superentity == nil ? nil : SQLExpression.inList(.column(entityNameColumn), names)
      try count(entity.name, schema.table(of: entity), where: isKind)
    }
    for table in schema.joinTables { try count(table, table) }
    return counts
  }
}
