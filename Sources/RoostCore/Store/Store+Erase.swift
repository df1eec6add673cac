import RoostEngine
import RoostSQL
import Synchronization

extension Store {
  /// Deletes every row of every model.
  func erase() throws {
    ensureIndexes()
    try SwiftDataError.translating(SwiftDataError.saving) {
      try pool.write { connection in
        try connection.transaction(.immediate) {
          for entity in schema.entities where entity.superentity == nil {
            try connection.execute(SQLitePrinter.print(SQLDelete(from: entity.table, where: nil)).sql)
          }
        }
      }
    }
    generation.add(1, ordering: .acquiringAndReleasing)
  }
}
