import Foundation
import Roost

extension InsertWorkload {
  /// A model made and inserted for each row, then one save. The context goes within the time, and the models with it.
  static func roost(in folder: URL) throws -> Round {
    freshFile(in: folder) { file in
      let container = try ModelContainer(for: Entry.self, configurations: ModelConfiguration(measured: file))
      return try timed {
        let context = ModelContext(container)
        for row in rows { context.insert(Entry(row)) }
        try context.save()
        return context
      } check: { _ in
        var sum = Checksum()
        for entry in try ModelContext(container).fetch(FetchDescriptor<Entry>()) {
          sum.add(title: entry.title, body: entry.body, date: entry.date)
        }
        try sum.check(against: checksum, "roost")
      }
    }
  }
}
