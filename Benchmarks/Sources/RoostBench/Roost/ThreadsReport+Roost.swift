import Foundation
import Roost

@Model
final class NumberedLine {
  @Attribute(.unique) var number: Int
  var title: String
  var body: String
  var date: Date

  init(_ row: SampleRow) {
    number = Int(row.id)
    title = row.title
    body = row.body
    date = row.date
  }
}

extension ThreadsReport {
  /// A context a thread, over one container.
  static func roost(_ file: URL) throws -> (writer: Work, reader: @Sendable (Int) throws -> () throws -> Int) {
    let container = try ModelContainer(for: NumberedLine.self, configurations: ModelConfiguration(measured: file))
    let first = ModelContext(container)
    for row in rows.prefix(firstCount) { first.insert(NumberedLine(row)) }
    try first.save()
    return (
      writer: {
        let context = ModelContext(container)
        return {
          try write { rows in
            for row in rows { context.insert(NumberedLine(row)) }
            try context.save()
          }
        }
      },
      reader: { number in
        let context = ModelContext(container)
        return {
          try read(number) { range, touch in
            let (lower, upper) = (range.lowerBound, range.upperBound)
            let descriptor = FetchDescriptor<NumberedLine>(
              predicate: #Predicate { $0.number >= lower && $0.number < upper })
            let found = try context.fetch(descriptor)
            for line in found { touch.add(title: line.title, body: line.body, date: line.date) }
            return found.count
          }
        }
      }
    )
  }
}
