import Foundation
import Logging
import RoostCore
import RoostEngine
import RoostQuery

extension Store {
  /// Opens a file: one of another schema is brought to `schema`, whose number in `plan` is `version`.
  convenience init(
    opening configuration: ModelConfiguration, schema: SchemaInfo, version: Schema.Version? = nil,
    plan: (any SchemaMigrationPlan.Type)? = nil, monitor: MigrationMonitor? = nil
  ) throws {
    if !configuration.isStoredInMemoryOnly {
      try StoreFile.checkOwner(of: configuration.url, configuration.key, remedy: "Choose another url for the store.")
    }
    try configuration.makeFolder()
    let schemaGuard = SchemaGuard(schema, url: configuration.url)
    let first = try Self.pool(configuration, schema, schemaGuard, nil)
    let opened: OpenedFile
    do {
      let setup = StoreSetup(
        pool: first, schema: schema, version: version, plan: plan, configuration: configuration, logger: Self.logger,
        monitor: monitor)
      let file = try setup.prepare()
      if !configuration.isStoredInMemoryOnly, configuration.allowsSave {
        try? EncryptionDraft(of: configuration.url.resolvingSymlinksInPath()).remove()
      }
      schemaGuard.begin(after: file.schemaVersion)
      let backfills = try Backfills(file.backfills, plan, schema)
      // They need connections of another kind. The file, or the memory, stays open meanwhile.
      let pool = try backfills.map { try Self.pool(configuration, schema, schemaGuard, $0) } ?? first
      if backfills != nil { try first.close() }
      opened = OpenedFile(
        pool: pool, identifier: file.identifier, schemaGuard: schemaGuard, backfills: backfills,
        history: configuration.storeOptions.history ?? file.history)
    } catch {
      try? first.close()
      throw error
    }
    try self.init(configuration, schema: schema, opened)
    backfillInBackground()
  }

  private static func pool(
    _ configuration: ModelConfiguration, _ schema: SchemaInfo, _ schemaGuard: SchemaGuard,
    _ backfills: Backfills?
  ) throws -> Pool {
    func open() throws -> Pool {
      var options = try configuration.connectionOptions
      options.trace = StatementLog(logger, configuration.storeOptions).trace
      return try Pool(options) { connection in
        registerRoostFunctions(on: connection)
        backfills?.addFunction(to: connection)
        connection.tableCheck = { try schemaGuard.check($0) }
        // Otherwise a row that REPLACE removes is not taken out of its indexes, and history does not know of it.
        try connection.execute("PRAGMA recursive_triggers=1")
      } prepareReader: { connection in
        try backfills?.addViews(to: connection)
      }
    }
    do {
      return try open()
    } catch let error as DatabaseError {
      // Another program may have made the encrypted file meanwhile, which then begins
      // with another salt than this one's.
      if error.primaryCode == DatabaseError.notADatabase, (try? configuration.key) != nil, let pool = try? open() {
        return pool
      }
      throw SwiftDataError.opening(configuration, error)
    }
  }
}
