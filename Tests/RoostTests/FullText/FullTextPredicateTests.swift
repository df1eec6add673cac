import Foundation
import Roost
import RoostTesting
import Testing

@Suite struct FullTextPredicateTests {
  private let stand: Newsstand
  private var context: ModelContext { stand.context }

  init() throws {
    stand = try Newsstand()
    context.insert(Article("Swifts", "They sleep while flying.", summary: "Birds of the air", stars: 5))
    context.insert(Article("Swift concurrency", "Actors and tasks; structured concurrency.", stars: 3))
    context.insert(Article("Café", "Crème brûlée and a summary.", summary: "Désserts"))
    context.insert(Review("Rust", "A language that flies.", verdict: "Oxidised, but quick"))
    try context.save()
  }

  @Test func `all words must occur, in any order and whatever their form and case`() throws {
    #expect(try stand.titles(#Predicate { $0.body.matches("flying sleeping") }) == ["Swifts"])
    #expect(try stand.titles(#Predicate { $0.body.matches("FLY") }) == ["Swifts"])
    #expect(try stand.titles(#Predicate { $0.body.matches("fly concurrency") }) == [])
    #expect(try stand.titles(#Predicate { $0.body.matches("creme") }) == ["Café"])
    #expect(try stand.titles(#Predicate { $0.title.matches("swift") && $0.stars > 3 }) == ["Swifts"])
    #expect(try stand.titles(#Predicate { !$0.title.matches("swift") }) == ["Café", "Rust"])
  }

  @Test func `a query may ask for any word, a phrase, or the beginning of the last word`() throws {
    #expect(try stand.titles(#Predicate { $0.body.matches(.any("actor crème")) }) == ["Café", "Swift concurrency"])
    #expect(
      try stand.titles(#Predicate { $0.body.matches(.phrase("structured concurrency")) }) == ["Swift concurrency"])
    #expect(try stand.titles(#Predicate { $0.body.matches(.phrase("concurrency structured")) }) == [])
    #expect(try stand.titles(#Predicate { $0.body.matches(.prefix("actors struct")) }) == ["Swift concurrency"])
    #expect(try stand.titles(#Predicate { $0.body.matches("actors struc") }) == [])
  }

  @Test func `optional properties and related models are found, nil has no words`() throws {
    let magazine = Magazine(name: "Birds and code")
    context.insert(magazine)
    magazine.articles = try context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.title.matches("swift") }))
    try context.save()
    #expect(try stand.titles(#Predicate { $0.summary.matches("desserts") }) == ["Café"])
    #expect(try stand.titles(#Predicate { !$0.summary.matches("birds") }) == ["Café", "Rust", "Swift concurrency"])
    #expect(try stand.titles(#Predicate { $0.magazine?.name.matches("birds") == true }).count == 2)
    #expect(try stand.titles(#Predicate { $0.magazine?.matches("birds") == true }).count == 2)
    let found = try context.fetch(
      FetchDescriptor<Magazine>(predicate: #Predicate { $0.articles.contains { $0.body.matches("sleep") } }))
    #expect(found == [magazine])
  }

  @Test func `an index of several properties finds the words in any of them`() throws {
    #expect(try stand.titles(.matching("swift sleep", in: \.title, \.body)) == ["Swifts"])
    #expect(try stand.titles(.matching("swift sleep", in: \.body)) == [])
    #expect(try stand.titles(.matching(.phrase("swift they"), in: \.title, \.body)) == [])
  }

  @Test func `an index of a base class finds the models of subclasses, and that of a subclass its own`() throws {
    let reviews = try context.fetch(FetchDescriptor<Review>(predicate: #Predicate { $0.body.matches("flies") }))
    #expect(reviews.map(\.title) == ["Rust"])
    let quick = #Predicate<Review> { $0.verdict.matches("OXID quick") }
    #expect(try context.fetch(FetchDescriptor(predicate: quick)).map(\.title) == ["Rust"])
    #expect(try reviews.allSatisfy { try quick.evaluate($0) })
    #expect(
      try stand.titles(#Predicate { ($0 as? Review)?.verdict.matches("quick") == true }) == ["Rust"])
  }

  @Test(
    arguments: [
      "\"", "\"\"", "swift\"", "*", "swift*", "^swift", "NEAR(", "NEAR(a b, 2)", "AND", "swift AND", "OR", "NOT", "-",
      "swift -tasks", ":", "title:swift", "{title} : x", "(", ")", "+", "'", "a\0b", "\0", "", " ", "\n\t", "…?!", "🐦",
      "👩‍👩‍👧 swift", "\u{301}", "e\u{301}", "%", "_", ";", "--", "/*", "\\", "\u{FEFF}", "swift\u{200D}",
    ])
  func `whatever a user types is text`(_ text: String) throws {
    for query in [FullTextQuery.all(text), .any(text), .phrase(text), .prefix(text)] {
      _ = try stand.titles(.matching(query, in: \.body))
      _ = try stand.titles(.matching(query, in: \.title, \.body))
      _ = try stand.titles(.matching(query, in: \.summary))
      _ = try context.fetch(FetchDescriptor<Review>(predicate: .matching(query, in: \.verdict)))
      _ = try context.search(Article.self, for: query, in: [\.body])
    }
  }

  @Test func `a text of thousands of words is searched for, one without words finds nothing`() throws {
    let long = (0..<3_000).map { "w\($0)" }.joined(separator: " ")
    #expect(try stand.titles(#Predicate { $0.body.matches(long) }) == [])
    #expect(try stand.titles(.matching(.any(long + " sleep"), in: \.body)) == ["Swifts"])
    #expect(try stand.titles(#Predicate { $0.body.matches("- sleep …") }) == ["Swifts"])
    for text in ["", "- …", "\0"] { #expect(try stand.titles(#Predicate { $0.body.matches(text) }) == []) }
  }

  @Test func `unsaved changes are found, in drafts too`() throws {
    let swifts = try #require(
      try context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.title.matches("swifts sleep") })).first
        ?? context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.title == "Swifts" })).first)
    swifts.body = "They hunt."
    context.insert(Article("New", "Hunting for words"))
    #expect(try stand.titles(#Predicate { $0.body.matches("hunt") }) == ["New", "Swifts"])
    #expect(try stand.titles(#Predicate { $0.body.matches("sleep") }) == [])
    context.delete(swifts)
    #expect(try stand.titles(#Predicate { $0.body.matches("hunting") }) == ["New"])
    let draft = ModelContext(draftOf: context)
    draft.insert(Article("Draft", "hunts"))
    let hunting = FetchDescriptor<Article>(
      predicate: #Predicate { $0.body.matches("hunt") }, sortBy: [SortDescriptor(\.title)])
    #expect(try draft.fetch(hunting).map(\.title) == ["Draft", "New"])
    var stored = hunting
    stored.includePendingChanges = false
    #expect(try context.fetch(stored).isEmpty)
    #expect(try context.explain(hunting).warnings.isEmpty)
    context.rollback()
    #expect(try stand.titles(#Predicate { $0.body.matches("sleep") }) == ["Swifts"])
    #expect(try context.fetch(hunting).isEmpty)
    try stand.check()
  }

  @Test func `the index is used`() throws {
    let explanation = try context.explain(
      FetchDescriptor<Article>(predicate: #Predicate { $0.body.matches("sleep") && $0.stars > 1 }))
    #expect(explanation.indexes == ["Article_title_body_words"])
    #expect(explanation.sql.contains(#""_pk" IN (SELECT "rowid" FROM "Article_title_body_words" WHERE"#))
  }

  @Test func `a property without an index is named, with what to declare`() throws {
    let motto = #Predicate<Magazine> { $0.motto.matches("x") }
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor(predicate: motto)) }
    #expect(error == .unsupportedPredicate && error?.model == "Magazine" && error?.property == "motto")
    #expect(error?.remedy?.contains("@Attribute(.fullText) var motto") == true)
    #expect(error?.remedy?.contains(#"#FullText<Magazine>([\.motto])"#) == true)
    #expect(throws: SwiftDataError.unsupportedPredicate) { try motto.evaluate(Magazine(name: "a")) }
    let split = Predicate<Article>.matching("x", in: \.title, \.summary)
    let other = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor(predicate: split)) }
    #expect(other?.remedy?.contains(#"#FullText<Article>([\.title, \.summary])"#) == true)
    let many = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.matches("x") }))
    }
    #expect(many?.message.contains("several full-text indexes") == true)
    let stars = Predicate<Article>.matching("x", in: \.stars)
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(FetchDescriptor(predicate: stars)) }
  }

  @Test func `a search is encoded with its predicate`() throws {
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForProperties(of: Article.self)
    for predicate in [
      #Predicate<Article> { $0.body.matches(.prefix("fly")) || $0.summary.matches("desserts") },
      .matching("swift sleep", in: \.title, \.body),
    ] {
      let data = try JSONEncoder().encode(predicate, configuration: configuration)
      let decoded = try JSONDecoder().decode(Predicate<Article>.self, from: data, configuration: configuration)
      #expect(try stand.titles(decoded) == stand.titles(predicate))
    }
  }

  @Test func `strings and models outside of predicates are looked into as well`() throws {
    let texts = ["Crème brûlée", "Crème", "a flying bird"]
    #expect(texts.map { $0.matches("creme") } == [true, true, false])
    #expect(texts.map { $0.matches(.prefix("fly")) } == [false, false, true])
    let nothing: String? = nil
    let found = (nothing.matches("a"), Magazine(name: "Birds of prey").matches("prey BIRDS"))
    #expect(found == (false, true))
  }
}
