import Foundation
import Roost
import RoostTesting
import Testing

@Suite struct FullTextSearchTests {
  private let stand: Newsstand
  private var context: ModelContext { stand.context }

  init() throws {
    stand = try Newsstand()
    context.insert(Article("A note", "One word about swifts among many other words that are about something else."))
    context.insert(Article("Swifts", "Swifts, swifts and swifts.", stars: 1))
    context.insert(Review("Other", "Nothing of the kind", verdict: "none"))
    context.insert(Review("Third", "A swift review", verdict: "swiftly done"))
    try context.save()
  }

  @Test func `the best matches come first, as many as were asked for`() throws {
    let hits = try context.search(Article.self, for: "swift", in: [\.title, \.body])
    #expect(hits.map(\.model.title) == ["Swifts", "Third", "A note"])
    #expect(hits.map(\.rank) == hits.map(\.rank).sorted() && hits[0].rank < hits[2].rank)
    #expect(try context.search(Article.self, for: "swift", in: [\.body], limit: 1).map(\.model.title) == ["Swifts"])
    #expect(try context.search(Article.self, for: "swift", in: [\.body], limit: 0).isEmpty)
    #expect(try context.search(Review.self, for: "swift", in: [\.body]).map(\.model.title) == ["Third"])
    let starred = try context.search(
      Article.self, for: .prefix("swi"), in: [\.body], where: #Predicate { $0.stars > 0 }, limit: 5)
    #expect(starred.map(\.model.title) == ["Swifts"])
    #expect(try context.search(Magazine.self, for: "swift").isEmpty)
  }

  @Test func `a text may be as long as it likes`() throws {
    let words = Array(repeating: "swift", count: 20_000).joined(separator: " ")
    for query in [FullTextQuery.all(words), .any(words), .prefix(words)] {
      #expect(try context.search(Article.self, for: query, in: [\.title, \.body]).count == 3)
    }
    #expect(try context.search(Article.self, for: .phrase(words), in: [\.title, \.body]).isEmpty)
    let word = String(repeating: "swift", count: 200_000)
    #expect(try context.search(Article.self, for: word, in: [\.title, \.body]).isEmpty)
    #expect(try context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.summary.matches(word) })).isEmpty)
  }

  @Test func `snippets and highlights show the matches, in one statement for all hits`() throws {
    let hits = try context.search(Article.self, for: "swift", in: [\.title, \.body])
    var texts: [String?] = []
    let statements = try stand.recorder.statements {
      texts = try hits.map { try $0.highlight(of: \.body) }
      texts += try hits.map { try $0.snippet(of: \.body, words: 4, marks: ("[", "]")) }
    }
    #expect(texts[0] == "**Swifts**, **swifts** and **swifts**.")
    #expect(texts[4] == "A [swift] review")
    #expect(texts[5]?.contains("[swifts]") == true && texts[5]?.hasSuffix("…") == true)
    #expect(statements.filter { $0.hasPrefix("SELECT") && $0.contains("MATCH") }.count == 2, "\(statements)")
    #expect(try hits[0].highlight(of: \.title, marks: ("<b>", "</b>")) == "<b>Swifts</b>")
    let error = #expect(throws: SwiftDataError.self) { try hits[0].snippet(of: \.summary) }
    #expect(error == .unsupportedKeyPath)
  }

  @Test func `hits that follow each other are read together, those far away when they are asked for`() throws {
    for number in 0..<700 { context.insert(Article("\(number)", "plover \(number)")) }
    try context.save()
    let hits = try context.search(Article.self, for: "plover", in: [\.body])
    try #require(hits.count == 700)
    func reads(_ places: [Int]) throws -> Int {
      let statements = try stand.recorder.statements {
        for place in places {
          let snippet = try hits[place].snippet(of: \.body)
          #expect(snippet == "**plover** \(hits[place].model.title)")
        }
      }
      return statements.filter { $0.contains("MATCH") }.count
    }
    #expect(try reads(Array(0..<700)) == 3)
    #expect(try reads((0..<700).reversed()) == 1)
    #expect(try reads([255, 256, 0, 511, 255]) == 0)
    #expect(try reads([512, 699]) == 1)
    // Who jumps about has all of them after a while.
    #expect(try reads((0..<100).flatMap { _ in [300, 0, 699] }) < 12)
    #expect(try reads(Array(0..<700)) == 0)
    let others = try context.search(Article.self, for: "plover", in: [\.body])
    let (near, far) = (others[0], others[600])
    #expect(try near.highlight(of: \.body) == "**plover** \(near.model.title)")
    for hit in [near, far] { hit.model.body = "a plover" }
    #expect(try near.highlight(of: \.body) == "**plover** \(near.model.title)")
    #expect(try far.highlight(of: \.body) == "a **plover**")
    try context.save()
    #expect(try far.highlight(of: \.body) == "a **plover**")
  }

  @Test func `unsaved models are found, and their snippets, also once they are saved`() throws {
    let new = Article("New", "As new as a swift")
    context.insert(new)
    let old = try #require(try context.search(Article.self, for: "many words", in: [\.body]).first)
    let hits = try context.search(Article.self, for: "swift", in: [\.body])
    let hit = try #require(hits.first { $0.model === new })
    #expect(hits.count == 4)
    #expect(try hit.snippet(of: \.body) == "As new as a **swift**")
    try context.save()
    #expect(try hit.snippet(of: \.body) == "As new as a **swift**")
    old.model.body = ""
    #expect(try old.highlight(of: \.body) == nil)
    let draft = ModelContext(draftOf: context)
    draft.insert(Article("Draft", "a swift draft"))
    #expect(
      try Set(draft.search(Article.self, for: "swift", in: [\.body]).map(\.model.title))
        == ["Draft", "New", "Swifts", "Third"])
  }
}
