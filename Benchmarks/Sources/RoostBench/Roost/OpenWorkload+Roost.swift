import Foundation
import Roost

extension Entry: EntryValues {
  static let insertion = "INSERT INTO Entry (_pk, title, body, date) VALUES (?, ?, ?, ?)"
}

extension OpenWorkload {
  static func roost(in folder: URL) throws -> Round {
    let file = folder.appending(path: "filled.store")
    let store = ModelConfiguration(measured: file)
    try ModelContainer(for: Entry.self, configurations: store).close()
    try Database(file, tuned: true).insert(rows, with: Entry.insertion)
    return round("roost") {
      let container = try ModelContainer(for: Entry.self, configurations: store)
      var first = FetchDescriptor<Entry>()
      first.fetchLimit = 1
      let found = try ModelContext(container).fetch(first).first
      let values = found.map { SampleRow(id: 1, title: $0.title, body: $0.body, date: $0.date) }
      try container.close()
      return values
    }
  }
}
