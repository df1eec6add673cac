import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import RoostSQL
import Testing

/// A sort descriptor's comparator decides, in SQL as in memory.
@Suite struct TextSortTests {
  private let rows: SubjectRows
  private let seed: UInt64

  init() throws {
    rows = try SubjectRows()
    seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    try rows.refill(&random, count: 200)
    for subject in rows.subjects where random.once(in: 2) { subject.text = Self.name(&random) }
    for subject in rows.subjects where random.once(in: 3) { subject.maybeText = Self.name(&random) }
    for owner in rows.owners { owner.name = Self.name(&random) }
    try rows.rewrite()
  }

  /// What the comparators see differently: numbers, cases, accents, punctuation.
  private static func name(_ random: inout SeededRandom) -> String {
    let parts = [
      "a", "A", "b", "B", "z", "Z", "é", "e\u{301}", "É", "ä", "Ä", "ö", "o", "ß", "ss", "-", " ", "_", "'", ".", "0",
      "1", "2", "9", "10", "007", "日", "ア", "я", "Ж", "İ", "ı", "\u{FB01}", "😀",
    ]
    return (0...random.below(4)).map { _ in random.pick(parts) }.joined()
  }

  private func query(_ descriptors: [SortDescriptor<Subject>]) throws -> SQLText {
    var query = QueryBuilder(root: rows.schema.entity(for: Subject.self)!) { rows.schema.entity(for: $0) }
    try query.sort(descriptors)
    return SQLitePrinter.print(query.select([primaryKeyColumn]))
  }

  /// Checks that no row comes after one that the descriptor puts behind it.
  private func expectOrder(_ descriptor: SortDescriptor<Subject>, _ name: Comment) throws {
    let subjects = try rows.positions(of: query([descriptor])).map { rows.subjects[$0] }
    #expect(subjects.count == 200)
    for (one, next) in zip(subjects, subjects.dropFirst()) {
      #expect(
        descriptor.compare(one, next) != .orderedDescending,
        "\(name), seed \(seed): \(one.text.debugDescription) \(next.text.debugDescription)")
    }
    let key = subjects.map(\.persistentModelID.key)
    for (index, pair) in zip(subjects, subjects.dropFirst()).enumerated()
    where descriptor.compare(pair.0, pair.1) == .orderedSame {
      #expect((key[index] < key[index + 1]) == (descriptor.order == .forward), "\(name), seed \(seed): equal strings")
    }
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `localizedStandard sorts as it does in memory`(_ order: SortOrder) throws {
    try expectOrder(SortDescriptor(\.text, comparator: .localizedStandard, order: order), "text")
    try expectOrder(SortDescriptor(\.maybeText, comparator: .localizedStandard, order: order), "maybeText")
    try expectOrder(SortDescriptor(\.owner?.name, comparator: .localizedStandard, order: order), "owner.name")
    try expectOrder(SortDescriptor(\.owner?.nickname, comparator: .localizedStandard, order: order), "nickname")
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `localized sorts as it does in memory`(_ order: SortOrder) throws {
    try expectOrder(SortDescriptor(\.text, comparator: .localized, order: order), "text")
    try expectOrder(SortDescriptor(\.maybeText, comparator: .localized, order: order), "maybeText")
    try expectOrder(SortDescriptor(\.owner?.name, comparator: .localized, order: order), "owner.name")
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `lexical sorts as it does in memory`(_ order: SortOrder) throws {
    // Of strings in other spellings Swift says things that no order can agree with.
    for subject in rows.subjects {
      subject.text = subject.text.precomposedStringWithCanonicalMapping
      subject.maybeText = subject.maybeText?.precomposedStringWithCanonicalMapping
    }
    try rows.rewrite()
    try expectOrder(SortDescriptor(\.text, comparator: .lexical, order: order), "text")
    try expectOrder(SortDescriptor(\.maybeText, comparator: .lexical, order: order), "maybeText")
    try expectOrder(SortDescriptor(\.text, comparator: .init(.lexical, order: order)), "comparator's own direction")
  }

  @Test func `numbers in names sort by their value, and letters before their accented kin`() throws {
    let context = ModelContext(
      try ModelContainer(for: Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    for name in ["a10", "Zoo", "a9", "ä", "b", "B"] { context.insert(Tag(name: name)) }
    try context.save()
    func names(_ descriptor: SortDescriptor<Tag>) throws -> [String] {
      try context.fetch(FetchDescriptor(sortBy: [descriptor])).map(\.name)
    }
    #expect(try names(SortDescriptor(\.name)) == ["ä", "a9", "a10", "b", "B", "Zoo"])
    #expect(try names(SortDescriptor(\.name, order: .reverse)) == ["Zoo", "B", "b", "a10", "a9", "ä"])
    #expect(try names(SortDescriptor(\.name, comparator: .lexical)) == ["B", "Zoo", "a10", "a9", "b", "ä"])
    #expect(try names(SortDescriptor(\.name, comparator: .localized)) == ["ä", "a10", "a9", "b", "B", "Zoo"])
    #expect(try names(SortDescriptor(\.name, comparator: .localizedStandard)) == ["ä", "a9", "a10", "b", "B", "Zoo"])
    context.insert(Tag(name: "a1"))
    #expect(try names(SortDescriptor(\.name, comparator: .localizedStandard)).prefix(3) == ["ä", "a1", "a9"])
  }

  @Test func `plain texts are compared as Foundation does`() throws {
    var random = SeededRandom(seed: seed)
    let alphabets = [(0x20..<0x7F).map { Character(UnicodeScalar(UInt8($0))) }, Array("aAbBzZ 019-'.")]
    for alphabet in alphabets {
      func text() -> String { String((0..<random.below(9)).map { _ in random.pick(alphabet) }) }
      for _ in 0..<20_000 {
        let (left, right) = (Tag(name: text()), Tag(name: text()))
        let result = SortDescriptor(\Tag.name).compare(left, right)
        #expect(
          result == left.name.localizedStandardCompare(right.name), "\(left.name), \(right.name), seed \(seed)")
      }
    }
  }

  @Test func `the comparison is Foundation's, unless that contradicts itself`() throws {
    let standard = SortDescriptor(\Tag.name, comparator: .localizedStandard)
    let localized = SortDescriptor(\Tag.name, comparator: .localized)
    for one in rows.subjects.prefix(60).map(\.text) {
      for other in rows.subjects.suffix(60).map(\.text) {
        let (left, right) = (Tag(name: one), Tag(name: other))
        #expect(
          [one.localizedStandardCompare(other).rawValue, -other.localizedStandardCompare(one).rawValue]
            .contains(standard.compare(left, right).rawValue))
        #expect(
          [one.localizedCompare(other).rawValue, -other.localizedCompare(one).rawValue]
            .contains(localized.compare(left, right).rawValue))
      }
    }
  }

  @Test func `a key path behind a stored string is refused`() throws {
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try query([SortDescriptor(\Subject.text.description)]) }
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try query([SortDescriptor(\Subject.text.description, comparator: .lexical)])
    }
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try query([SortDescriptor(\Subject.text.description, comparator: .localizedStandard)])
    }
  }
}
