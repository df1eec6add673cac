import Foundation
import Roost
import Testing

@Model private final class Dial {
  var number: Int
  var a = 0
  var b = 0
  var c = 0
  var d = 0
  var e = 0

  init(number: Int) { self.number = number }
}

/// Saves in which rows change by turns: of several classes, or each with other properties.
@Suite struct TurnTests {
  @Test func `rows that change by turns are written and recorded each by itself`() throws {
    let fixture = try HistoryFixture(inMemory: true)
    let context = fixture.context
    let bands = (0..<40).map { Band(name: "\($0)") }
    let records = (0..<40).map { Record(title: "\($0)", band: bands[$0]) }
    let fans = (0..<40).map { Fan(name: "\($0)") }
    bands.forEach { context.insert($0) }
    records.forEach { context.insert($0) }
    fans.forEach { context.insert($0) }
    try context.save()
    var expected: [String] = []
    for place in 0..<40 {
      let kind = place % 7 + 1
      var names: [String] = []
      if kind & 1 != 0 {
        bands[place].name += "!"
        names.append("name")
      }
      if kind & 2 != 0 {
        bands[place].founded = Date(timeIntervalSinceReferenceDate: Double(place))
        names.append("founded")
      }
      if kind & 4 != 0 {
        bands[place].size += place
        names.append("size")
      }
      records[place].title += "?"
      fans[place].name += "."
      expected += ["update Band \(names.joined(separator: ","))", "update Record title", "update Fan name"]
    }
    try context.save()
    #expect(try fixture.words.last?.sorted() == expected.sorted())
    let other = ModelContext(fixture.container)
    let found = try other.fetch(FetchDescriptor<Band>(sortBy: [SortDescriptor(\.persistentModelID)]))
    #expect(found.map(\.name) == bands.map(\.name))
    #expect(found.map(\.founded) == bands.map(\.founded))
    #expect(found.map(\.size) == bands.map(\.size))
    #expect(try other.fetchCount(FetchDescriptor<Record>(predicate: #Predicate { $0.title.contains("?") })) == 40)
    #expect(try other.fetchCount(FetchDescriptor<Fan>(predicate: #Predicate { $0.name.contains(".") })) == 40)
  }

  @Test func `rows that each change other properties are written, however many kinds of that there are`() throws {
    let context = ModelContext(
      try ModelContainer(for: Dial.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let dials = (0..<93).map { Dial(number: $0) }
    dials.forEach { context.insert($0) }
    try context.save()
    let paths: [ReferenceWritableKeyPath<Dial, Int>] = [\.a, \.b, \.c, \.d, \.e]
    for turn in 1...2 {
      for (place, dial) in dials.enumerated() {
        let kind = place % 31 + 1
        for (bit, path) in paths.enumerated() where kind >> bit & 1 == 1 {
          dial[keyPath: path] += turn * place + bit + 1
        }
      }
      try context.save()
      let found = try ModelContext(context.container).fetch(FetchDescriptor<Dial>(sortBy: [SortDescriptor(\.number)]))
      for path in paths { #expect(found.map { $0[keyPath: path] } == dials.map { $0[keyPath: path] }) }
    }
  }
}
