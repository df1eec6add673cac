import Foundation
import Roost

@Model
final class NumberedEntry: EntryValues {
  #Index<NumberedEntry>([\.number])
  @Attribute(.unique) var title: String
  var body: String
  var date: Date
  var number: Int

  init(_ row: SampleRow) {
    title = row.title
    body = row.body
    date = row.date
    number = LookupByValueWorkload.number(of: row.id)
  }
}

extension LookupByValueWorkload {
  /// In a context that began empty: each row is looked for once.
  func roost(in folder: URL) throws -> Round {
    let store = ModelConfiguration(measured: folder.appending(path: "filled.store"))
    let container = try ModelContainer(for: NumberedEntry.self, configurations: store)
    let context = ModelContext(container)
    for row in FetchWorkload.rows { context.insert(NumberedEntry(row)) }
    try context.save()
    return round("roost") {
      let context = ModelContext(container)
      return try Self.touch { row in
        switch self {
        case .string:
          let title = row.title
          var descriptor = FetchDescriptor<NumberedEntry>(predicate: #Predicate { $0.title == title })
          descriptor.fetchLimit = 1
          return try context.fetch(descriptor).first
        case .predicate:
          let number = Self.number(of: row.id)
          return try context.fetch(FetchDescriptor<NumberedEntry>(predicate: #Predicate { $0.number == number })).first
        }
      }
    }
  }
}
