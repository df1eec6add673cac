import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import Testing

/// `contains` with an index of parts of words means what it means without.
@Suite struct TrigramTests {
  @Model final class Tag {
    @Attribute(.fullText(tokenizer: .trigram)) var name: String
    /// The same text without an index.
    var plain: String

    init(_ name: String) { (self.name, plain) = (name, name) }
  }

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test func `contains asks the index first`() throws {
    for number in 0..<2_000 { context.insert(Tag("tag number \(number)")) }
    try context.save()
    let descriptor = FetchDescriptor<Tag>(predicate: #Predicate { $0.name.contains("number 1234") })
    #expect(try context.fetch(descriptor).map(\.name) == ["tag number 1234"])
    let explanation = try context.explain(descriptor)
    #expect(explanation.indexes.contains("Tag_name_parts") && explanation.warnings.isEmpty, "\(explanation)")
    for short in ["12", "é12", "Kelvin", ""] {
      let descriptor = FetchDescriptor<Tag>(predicate: #Predicate { $0.name.contains(short) })
      #expect(try !context.explain(descriptor).indexes.contains("Tag_name_parts"))
    }
  }

  @Test func `random strings contain what they contain in Swift`() throws {
    let seed = SeededRandom.seed
    print("TrigramTests: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let parts = [
      "a", "b", "A", "k", "K", "\u{212A}", "e", "\u{301}", "é", "\0", " ", ";", "\u{37E}", "`", "\u{1FEF}", "\r", "\n",
      "ß", "🐦", "x",
    ]
    func text(_ length: Int) -> String { (0..<length).map { _ in random.pick(parts) }.joined() }
    for _ in 0..<300 { context.insert(Tag(text(random.below(12)))) }
    try context.save()
    for round in 0..<400 {
      if round % 40 == 20 { context.insert(Tag(text(8))) }
      if round % 100 == 99 { try context.save() }
      let some = try #require(try context.fetch(FetchDescriptor<Tag>()).randomElement(using: &random)).name
      let needle =
        random.once(in: 2)
        ? text(1 + random.below(4)) : String(some.dropFirst(random.below(4)).prefix(1 + random.below(5)))
      let indexed = try context.fetchCount(FetchDescriptor<Tag>(predicate: #Predicate { $0.name.contains(needle) }))
      let plain = try context.fetchCount(FetchDescriptor<Tag>(predicate: #Predicate { $0.plain.contains(needle) }))
      #expect(indexed == plain, "seed \(seed), round \(round), \(needle.debugDescription)")
    }
  }
}
