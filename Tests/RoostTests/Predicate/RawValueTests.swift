import Foundation
import Roost
import Testing

/// Structs that are kept as their raw value.
@Suite struct RawValueTests {
  struct Code: RawRepresentable, Codable, Hashable, Sendable {
    let rawValue: String
  }

  struct Flags: OptionSet, Codable, Hashable, Sendable {
    let rawValue: Int
    static let bold = Flags(rawValue: 1)
    static let italic = Flags(rawValue: 2)
  }

  /// Stops the program for a number that it does not allow.
  struct Rating: Codable, Hashable, Sendable {
    var stars: Int

    init(stars: Int) {
      precondition((1...5).contains(stars))
      self.stars = stars
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(stars: try container.decode(Int.self, forKey: .stars))
    }
  }

  @Model final class Entry {
    var code: Code
    var former: Code?
    var flags: Flags = []
    var rating: Rating?

    init(_ code: String, former: String? = nil, flags: Flags = []) {
      (self.code, self.former, self.flags) = (Code(rawValue: code), former.map { Code(rawValue: $0) }, flags)
    }
  }

  let context: ModelContext

  init() throws {
    context = ModelContext(try ModelContainer(for: Entry.self, configurations: .init(isStoredInMemoryOnly: true)))
    context.insert(contentsOf: [
      Entry("a"), Entry("b", former: "a", flags: [.bold, .italic]), Entry("c", flags: .bold),
    ])
    try context.save()
  }

  private func codes(_ predicate: Predicate<Entry>) throws -> [String] {
    let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.code.rawValue).sorted()
    let evaluated = try context.fetch(FetchDescriptor<Entry>()).filter { try predicate.evaluate($0) }
    #expect(found == evaluated.map(\.code.rawValue).sorted())
    return found
  }

  @Test func `a struct's raw value can be asked for`() throws {
    #expect(try codes(#Predicate { $0.code.rawValue == "b" }) == ["b"])
    #expect(try codes(#Predicate { $0.code.rawValue > "a" }) == ["b", "c"])
    #expect(try codes(#Predicate { $0.former?.rawValue == "a" }) == ["b"])
    #expect(try codes(#Predicate { $0.flags.rawValue >= 1 }) == ["b", "c"])
  }

  @Test func `a type that stops the program for numbers that it does not allow is kept`() throws {
    let entry = Entry("d")
    entry.rating = Rating(stars: 4)
    context.insert(entry)
    try context.save()
    let found = try ModelContext(context.container).fetch(
      FetchDescriptor<Entry>(predicate: #Predicate { $0.rating != nil }))
    #expect(found.map(\.rating?.stars) == [4])
  }
}
