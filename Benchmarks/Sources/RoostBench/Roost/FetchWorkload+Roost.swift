import Foundation
import Roost

extension FetchWorkload {
  /// Into a new context each round: one that has the models already would only look them up.
  static func roost(in folder: URL) throws -> Round {
    let container = try filledContainer(in: folder)
    return {
      try timed {
        let context = ModelContext(container)
        let found = try context.fetch(FetchDescriptor<Entry>())
        var touch = Touch()
        for entry in found { touch.add(title: entry.title, body: entry.body, date: entry.date) }
        return (context, found, touch)
      } check: { _, found, touched in
        try touched.check(against: touch, "roost")
        var sum = Checksum()
        for entry in found { sum.add(title: entry.title, body: entry.body, date: entry.date) }
        try sum.check(against: checksum, "roost")
      }
    }
  }

  /// A store with all rows in it, as Roost writes them.
  static func filledContainer(in folder: URL) throws -> ModelContainer {
    let store = ModelConfiguration(measured: folder.appending(path: "filled.store"))
    let container = try ModelContainer(for: Entry.self, configurations: store)
    let context = ModelContext(container)
    for row in rows { context.insert(Entry(row)) }
    try context.save()
    return container
  }
}
