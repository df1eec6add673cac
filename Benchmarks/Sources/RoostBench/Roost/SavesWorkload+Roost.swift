import Foundation
import Roost

extension SavesWorkload {
  /// One context, which is saved after each model.
  static func roost(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let container = try ModelContainer(for: Entry.self, configurations: ModelConfiguration(measured: file))
      return try timed {
        let context = ModelContext(container)
        for row in rows {
          context.insert(Entry(row))
          try context.save()
        }
        return context
      } check: { _ in
        let found = try Database(file, tuned: true).checksum(of: "SELECT title, body, date FROM Entry")
        try found.check(against: checksum, "roost")
      }
    }
  }
}
