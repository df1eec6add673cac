import RoostEngine
import RoostSQL

extension Store {
  /// Deletes every row of every model.
  func erase() throws {
    ensureIndexes()
    try SwiftDataError.translating(SwiftDataError.saving) {
      try pool.write { connection in
        let writes = files.map { ExternalWrites($0, threshold: 0, mayRelease: true) }
        try transaction(connection, with: writes) {
          writes?.released = try files?.names() ?? []
          _ = try recording(by: HistoryAuthor(), isHeard: false, connection) {
            for entity in schema.entities where entity.superentity == nil {
              try connection.execute(SQLitePrinter.print(SQLDelete(from: entity.table, where: nil)).sql)
            }
          }
        }
      }
    }
    announceAny()
  }
}
