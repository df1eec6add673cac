import Foundation
import Roost
import RoostCore
import RoostQuery
import RoostSQL
import Testing

/// Queries that a program puts together while it runs.
@Suite struct DynamicTests {
  private let rows: SubjectRows

  init() throws {
    rows = try SubjectRows()
    var random = SeededRandom(seed: SeededRandom.seed)
    try rows.refill(&random, count: 40)
  }

  private func condition(_ predicate: Predicate<Subject>) throws -> String {
    var query = QueryBuilder(root: rows.schema.entity(for: Subject.self)!) { rows.schema.entity(for: $0) }
    try query.filter(predicate)
    let sql = SQLitePrinter.print(query.select([])).sql.replacing(#""t0"."#, with: "")
    return sql.firstRange(of: "WHERE").map { String(sql[$0.lowerBound...]) } ?? ""
  }

  @Test func `predicates are combined with the operators of conditions`() throws {
    let small = #Predicate<Subject> { $0.number < 3 }
    let flagged = #Predicate<Subject> { $0.flag }
    #expect(try condition(small && flagged) == #"WHERE ("number" < ?) AND ("flag" = ?)"#)
    #expect(try condition(small || flagged) == #"WHERE ("number" < ?) OR ("flag" = ?)"#)
    #expect(try condition(!small) == #"WHERE "number" >= ?"#)
    #expect(try condition(!(small || flagged)) == #"WHERE ("number" >= ?) AND ("flag" <> ?)"#)
    var all = small
    for number in 0..<2_000 { all = all && #Predicate { $0.number != number } }
    #expect(try condition(all).count { $0 == "?" } == 2_001)
  }

  @Test func `a property and an operator are chosen at run time`() throws {
    #expect(try condition(.comparing(\.number, .lessThan, 10)) == #"WHERE "number" < ?"#)
    #expect(try condition(.comparing(\.maybeNumber, .equal, nil)) == #"WHERE "maybeNumber" IS NULL"#)
    #expect(try condition(.comparing(\.maybeNumber, .greaterThan, nil)) == "WHERE 0")
    #expect(try condition(.comparing(\.flag, .equal, true)) == #"WHERE "flag" = ?"#)
    #expect(try condition(.comparing(\.kind, .notEqual, .plain)) == #"WHERE "kind" <> ?"#)
    let chosen = try #require(PredicateOperator(rawValue: "<="))
    let paths: [String: any KeyPath<Subject, Double> & Sendable] = ["real": \.double]
    let path = try #require(paths["real"])
    #expect(try condition(Predicate<Subject>.comparing(path, chosen, 0.5)) == #"WHERE "double" <= ?"#)
    #expect(throws: SwiftDataError.unsupportedPredicate) { try condition(.comparing(\.kind, .lessThan, .plain)) }
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try Predicate<Subject>.comparing(\.url, .lessThan, URL(filePath: "/")).evaluate(Subject())
    }
  }

  @Test func `a sort descriptor is made from a name`() throws {
    #expect(try SortDescriptor<Subject>(named: "text") == SortDescriptor(\Subject.text))
    #expect(
      try SortDescriptor(named: "maybeNumber", in: Subject.self, order: .reverse)
        == SortDescriptor(\Subject.maybeNumber, order: .reverse))
    #expect(try SortDescriptor<Subject>(named: "flag") == SortDescriptor(\Subject.flag))
    #expect(try SortDescriptor<Subject>(named: "level") == SortDescriptor(\Subject.level))
    var query = QueryBuilder(root: rows.schema.entity(for: Subject.self)!) { rows.schema.entity(for: $0) }
    try query.sort([SortDescriptor(named: "owner.name", in: Subject.self)])
    #expect(
      SQLitePrinter.print(query.select(["text"])).sql.contains(
        #"ORDER BY "t1"."name" COLLATE roost_localized_standard"#))
  }

  @Test(arguments: ["titel", "", "owner", "owner.", "owner.title", "text.count", "place", "words", "labels.name"])
  func `an unknown name is an error that names the known ones`(name: String) throws {
    do {
      _ = try SortDescriptor<Subject>(named: name)
      Issue.record("not reached")
    } catch let error as SwiftDataError {
      #expect(error == .unsupportedSortDescriptor)
      if name == "titel" { #expect(error.message.contains("it has flag, maybeFlag, number")) }
      if name == "owner.title" { #expect(error.message.contains("it has name, nickname, rank")) }
    }
  }

  @Test func `a related model's property is compared, also from an archive`() throws {
    let context = try makeLibrary()
    let books = ["a", "b", "c"].map { Book(title: $0) }
    for book in books { context.insert(book) }
    (books[0].author, books[1].author) = (Author(name: "Ada"), Author(name: "Bo"))
    try context.save()
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPath(\Book.author?.name, identifier: "author's name")
    let predicates: [(Predicate<Book>, [String])] = [
      (.comparing(\.author?.name, .equal, "Ada"), ["a"]), (.comparing(\.author?.name, .equal, nil), ["c"]),
      (.comparing(\.author?.name, .greaterThan, "Ada"), ["b"]),
      (.comparing(\.author?.name, .notEqual, "Ada"), ["b", "c"]),
      (.comparing(\.persistentModelID, .equal, books[1].persistentModelID), ["b"]),
    ]
    for (predicate, titles) in predicates {
      let data = try JSONEncoder().encode(predicate, configuration: configuration)
      let again = try JSONDecoder().decode(Predicate<Book>.self, from: data, configuration: configuration)
      for predicate in [predicate, again] {
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)]))
        #expect(found.map(\.title) == titles)
        #expect(try books.filter { try predicate.evaluate($0) }.map(\.title) == titles)
      }
    }
    #expect("\(predicates[0].0)" == #"Predicate<Book> { $0.author?.name == "Ada" }"#)
  }

  @Test func `a path that a query does not know is an error when it is fetched with`() throws {
    let context = try makeLibrary()
    context.insert(Author(name: "Ada"))
    try context.save()
    let predicate = Predicate<Author>.comparing(\.name.count, .equal, 3)
    #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor(predicate: predicate)) }
    #expect(try predicate.evaluate(Author(name: "Ada")))
  }
}
