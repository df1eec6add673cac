import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import Testing

/// Random changes of all kinds, after which the indexes have what the tables have and
/// queries find what evaluation does.
@Suite struct FullTextRandomTests {
  @Test func `indexes keep up with random changes`() throws {
    let seed = SeededRandom.seed
    print("FullTextRandomTests: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    let stand = try Newsstand(folder.store)
    let context = stand.context
    let words = [
      "swift", "Swifts", "flying", "flies", "café", "cafe", "e\u{301}", "\0", "\"", "*", "-", "AND", "🐦", "x1", "",
    ]
    func text() -> String { (0..<random.below(5)).map { _ in random.pick(words) }.joined(separator: " ") }
    for step in 0..<150 {
      let all = try context.fetch(FetchDescriptor<Article>())
      let one = all.randomElement(using: &random)
      switch random.below(12) {
      case 0, 1, 2:
        context.insert(Article("\(step)", text(), summary: random.once(in: 2) ? text() : nil))
      case 3: context.insert(Review("\(step)", text(), verdict: text()))
      case 4: one?.body = text()
      case 5: one?.summary = random.once(in: 2) ? nil : text()
      case 6: if let one { context.delete(one) }
      case 7:
        // A name that a row may have: the save updates that one.
        let magazine = Magazine(name: random.pick(words))
        context.insert(magazine)
        one?.magazine = magazine
      case 8:
        if let magazine = try context.fetch(FetchDescriptor<Magazine>()).randomElement(using: &random) {
          context.delete(magazine)
        }
      case 9: context.rollback()
      case 10:
        try context.save()
        let new = text()
        let sql: SQL =
          switch random.below(4) {
          case 0: "UPDATE \(Article.self) SET body = \(new), summary = \(text()) WHERE _pk % 3 = 0"
          case 1: "DELETE FROM \(Article.self) WHERE _pk % 7 = \(Int64(random.below(7)))"
          case 2: "INSERT OR REPLACE INTO \(Magazine.self) (name, motto) VALUES (\(random.pick(words)), \(new))"
          default:
            """
            INSERT INTO \(Magazine.self) (name, motto) VALUES (\(random.pick(words)), '') \
            ON CONFLICT (name) DO UPDATE SET name = name || \(random.pick(words))
            """
          }
        _ = try? context.execute(sql: sql)
      default: try context.save()
      }
      let query: FullTextQuery =
        switch random.below(4) {
        case 0: .any(text())
        case 1: .phrase(text())
        case 2: .prefix(text())
        default: .all(text())
        }
      let comment: Comment = "seed \(seed), step \(step), \(query.debugDescription)"
      for predicate in [
        #Predicate<Article> { $0.body.matches(query) }, #Predicate { $0.summary.matches(query) },
        #Predicate { !$0.title.matches(query) }, .matching(query, in: \.title, \.body),
        #Predicate { $0.magazine?.name.matches(query) == true },
      ] {
        let models = try context.fetch(FetchDescriptor<Article>())
        let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted()
        let expected = try models.filter { try predicate.evaluate($0) }.map(\.title).sorted()
        #expect(found == expected, comment)
      }
      let hits = try context.search(Article.self, for: query, in: [\.body])
      let found = try context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.body.matches(query) }))
      #expect(Set(hits.map(\.model)) == Set(found), comment)
      try stand.check()
    }
  }
}
