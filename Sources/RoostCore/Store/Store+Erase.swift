import RoostEngine
import RoostSQL

extension Store {
  /// Deletes every row of every model.
  func erase() throws {
    ensureIndexes()
    try SwiftDataError.translating(SwiftDataError.saving) {
      try pool.write { connection in
        // With foreign keys, a row that must refer to another one would have to outlive it. It cannot be switched within
        // a transaction; where there is one around this, it is a migration's, which has switched them off.
        try connection.execute("PRAGMA foreign_keys=0")
        defer { try? connection.execute("PRAGMA foreign_keys=1") }
        let writes = files.map { ExternalWrites($0, threshold: 0, mayRelease: true) }
        try transaction(connection, with: writes) {
          writes?.released = try files?.names() ?? []
          _ = try recording(by: HistoryAuthor(), isHeard: false, connection) {
            let tables = schema.joinTables.map(\.name) + schema.entities.filter { $0.superentity == nil }.map(\.table)
            for table in tables {
              try connection.execute(SQLitePrinter.print(SQLDelete(from: table, where: nil)).sql)
            }
          }
        }
      }
    }
    announceAny()
  }
}
