import Foundation
import Roost

extension UpsertIntoWorkload {
  /// New models for rows that are there, in a new context: nothing has been read before.
  static func roost(in folder: URL) throws -> Round {
    let file = folder.appending(path: "filled.store")
    let store = ModelConfiguration(measured: file)
    try ModelContainer(for: UniqueEntry.self, configurations: store).close()
    try Database(file, tuned: true).insert(
      rows, with: "INSERT INTO UniqueEntry (_pk, title, body, date) VALUES (?, ?, ?, ?)")
    let container = try ModelContainer(for: UniqueEntry.self, configurations: store)
    return round(file, "UniqueEntry") { rows in
      let context = ModelContext(container)
      for row in rows { context.insert(UniqueEntry(row)) }
      try context.save()
      return context
    }
  }
}
