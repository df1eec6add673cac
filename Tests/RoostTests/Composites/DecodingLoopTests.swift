import Foundation
import Roost
import Testing

/// Leaves out the elements that it cannot decode.
private struct Lenient<Element: Codable>: Codable {
  var elements: [Element]

  init(_ elements: [Element]) { self.elements = elements }

  init(from decoder: any Decoder) throws {
    elements = []
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let decoder = try container.superDecoder()
      if let element = try? Element(from: decoder) { elements.append(element) }
    }
  }

  func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

/// Reads until there are no more elements.
private struct Greedy: Codable {
  var numbers: [Int]

  init(_ numbers: [Int]) { self.numbers = numbers }

  init(from decoder: any Decoder) throws {
    numbers = []
    var container = try decoder.unkeyedContainer()
    while let number = try? container.decode(Int.self) { numbers.append(number) }
  }

  func encode(to encoder: any Encoder) throws { try numbers.encode(to: encoder) }
}

/// Reads as many elements as it has.
private struct Fixed: Codable {
  var numbers: [Int]

  init(_ numbers: [Int]) { self.numbers = numbers }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    numbers = try (0..<100).map { _ in try container.decode(Int.self) }
  }

  func encode(to encoder: any Encoder) throws { try numbers.encode(to: encoder) }
}

/// Contains itself in many places, as a schema of JSON does.
private struct Rule: Codable, Equatable {
  var allOf: [Rule]?
  var anyOf: [Rule]?
  var oneOf: [Rule]?
  var prefix: [Rule]?
  var rest: [Rule]?
  var names: [Rule]?
  var members: [Rule]?
  var fallback: [Rule]?
  var then: [Rule]?
  var title: String?
}

@Model private final class Document {
  var rule: Rule
  init(rule: Rule) { self.rule = rule }
}

@Model private final class Series {
  var lenient: Lenient<Int>
  var greedy: Greedy
  var fixed: Fixed

  init(_ numbers: [Int]) {
    lenient = Lenient(numbers)
    greedy = Greedy(numbers)
    fixed = Fixed(numbers)
  }
}

/// What a schema finds out of attributes' types by decoding examples of them.
@Suite struct DecodingLoopTests {
  @Test(.timeLimit(.minutes(20)))
  func `a type that reads its elements one by one, by decoders of their own or until there are no more, is stored`()
    throws
  {
    let container = try ModelContainer(for: Series.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let numbers = Array(1...100)
    context.insert(Series(numbers))
    try context.save()
    let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Series>()).first)
    #expect(found.lenient.elements == numbers && found.greedy.numbers == numbers && found.fixed.numbers == numbers)
  }

  @Test(.timeLimit(.minutes(20)))
  func `a type that contains itself in many places is looked into, and not for long`() throws {
    let container = try ModelContainer(
      for: Document.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let rule = Rule(allOf: [Rule(title: "a")], then: [Rule(title: "b")], title: "c")
    context.insert(Document(rule: rule))
    try context.save()
    let titled = FetchDescriptor<Document>(predicate: #Predicate { $0.rule.title == "c" })
    #expect(try ModelContext(container).fetch(titled).map(\.rule) == [rule])
  }
}
