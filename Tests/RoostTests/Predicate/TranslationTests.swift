import Foundation
import RegexBuilder
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import RoostSQL
import Testing

/// The SQL that predicates become.
@Suite struct TranslationTests {
  private let rows: SubjectRows

  init() throws { rows = try SubjectRows() }

  private func query(_ predicate: Predicate<Subject>) throws -> QueryBuilder {
    var query = QueryBuilder(root: rows.schema.entity(for: Subject.self)!) { rows.schema.entity(for: $0) }
    try query.filter(predicate)
    return query
  }

  private func condition(_ predicate: Predicate<Subject>) throws -> String {
    let sql = SQLitePrinter.print(try query(predicate).select([])).sql
    return sql.replacingOccurrences(of: #"SELECT 1 FROM "Subject" AS "t0""#, with: "")
      .replacingOccurrences(of: #""t0"."#, with: "").trimmingCharacters(in: .whitespaces)
  }

  @Test func plainComparisonsCanUseAnIndex() throws {
    #expect(try condition(#Predicate { $0.number > 3 }) == #"WHERE "number" > ?"#)
    #expect(try condition(#Predicate { $0.text == "abc" }) == #"WHERE "text" = ?"#)
    #expect(try condition(#Predicate { $0.maybeText == "abc" }) == #"WHERE "maybeText" IS ?"#)
    #expect(try condition(#Predicate { $0.maybeNumber == nil }) == #"WHERE "maybeNumber" IS NULL"#)
    #expect(try condition(#Predicate { $0.flag }) == #"WHERE "flag" = ?"#)
    #expect(try condition(#Predicate { !$0.flag }) == #"WHERE "flag" <> ?"#)
    #expect(try condition(#Predicate { $0.text != "abc" }) == #"WHERE "text" <> ?"#)
  }

  @Test func stringsWithOtherSpellingsAreFoundInEach() throws {
    #expect(try condition(#Predicate { $0.text == "K" }) == #"WHERE "text" IN (?, ?)"#)
    #expect(try condition(#Predicate { $0.text == "é" }) == #"WHERE "text" COLLATE roost_unicode = ?"#)
  }

  @Test func prefixesAreRanges() throws {
    #expect(
      try condition(#Predicate { $0.text.hasPrefix("ab") })
        == #"WHERE ("text" >= ?) AND ("text" < ?) AND roost_has_prefix("text", ?)"#)
    #expect(try condition(#Predicate { $0.text.hasPrefix("é") }) == #"WHERE roost_has_prefix("text", ?)"#)
  }

  @Test func aCommonNilGuardIsNoObstacle() throws {
    func atMost(_ limit: Int?) -> Predicate<Subject> {
      Predicate {
        PredicateExpressions.build_Disjunction(
          lhs: PredicateExpressions.build_Equal(
            lhs: PredicateExpressions.build_Arg(limit), rhs: PredicateExpressions.build_NilLiteral()),
          rhs: PredicateExpressions.build_Comparison(
            lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.number),
            rhs: PredicateExpressions.build_ForcedUnwrap(PredicateExpressions.build_Arg(limit)), op: .lessThanOrEqual))
      }
    }
    #expect(try condition(atMost(nil)) == "")
    #expect(try condition(atMost(3)) == #"WHERE "number" <= ?"#)
  }

  @Test func toOnePathsAreJoinedOnce() throws {
    let sql = try condition(#Predicate { $0.owner?.name == "a" && $0.owner?.rank == 1 })
    #expect(sql.components(separatedBy: "JOIN").count == 2 && !sql.contains("LEFT"))
    #expect(sql.contains(#"JOIN "Owner" AS "t1" ON "t1"."_pk" = "owner""#))
    let owner = Owner()
    #expect(try condition(#Predicate { $0.owner == owner }) == #"WHERE "owner" IS ?"#)
  }

  @Test func joinsAreInnerWhereNoRowWithoutTheOtherIsWanted() throws {
    for predicate in [
      // SQLite sees by itself what `=` wants, but not `IN`, which K with its two spellings becomes.
      #Predicate<Subject> { $0.owner?.name == "K" }, #Predicate { $0.owner?.rank ?? 0 > 1 && $0.owner?.name == "a" },
      #Predicate { $0.owner?.name == "a" || $0.owner?.name == "b" },
    ] {
      let sql = try condition(predicate)
      #expect(sql.contains("JOIN ") && !sql.contains("LEFT"), "\(sql)")
    }
    for predicate in [
      #Predicate<Subject> { $0.owner?.name == nil }, #Predicate { $0.owner?.name != "a" },
      #Predicate { $0.owner?.name == "a" || $0.number == 1 }, #Predicate { ($0.owner?.rank ?? 0) < 1 },
    ] {
      #expect(try condition(predicate).contains("LEFT JOIN"), "\(predicate)")
    }
  }

  @Test func toManyRelationshipsAreSubqueries() throws {
    let sql = try condition(#Predicate { $0.labels.contains { $0.name != "a" } })
    #expect(sql.hasPrefix("WHERE EXISTS (SELECT 1 FROM"))
    #expect(try condition(#Predicate { $0.labels.isEmpty }).hasPrefix("WHERE NOT EXISTS"))
    #expect(try condition(#Predicate { $0.labels.filter { $0.name == "a" }.count > 2 }).contains("count(*)"))
    let query = try query(#Predicate { $0.labels.contains { $0.name == "a" } })
    #expect(query.usesTables == ["Subject", "Label"])
  }

  @Test func aQueryBeginsAtRelatedRowsThatItKnowsMoreOf() throws {
    let sql = try condition(
      #Predicate { $0.owner?.subjects.contains { $0.labels.contains { $0.name == "a" } } ?? false })
    #expect(sql.components(separatedBy: " IN (SELECT ").count == 3 && !sql.contains("EXISTS"), "\(sql)")
    for predicate in [
      // Its own rows are the fewer, or there is nothing to begin at, or it is another for each row, or it is negated.
      #Predicate<Subject> { $0.number == 1 && $0.labels.contains { $0.name == "a" } },
      #Predicate { $0.labels.contains { $0.weight == nil } },
      #Predicate { subject in subject.labels.contains { $0.name == "a" && $0.name != subject.text } },
      #Predicate { !$0.labels.contains { $0.name == "a" } },
    ] {
      #expect(try condition(predicate).contains("EXISTS"), "\(predicate)")
    }
  }

  @Test func regularExpressionsAreSearchedForByAFunction() throws {
    let condition = try condition(#Predicate { $0.text.contains(/^a+/) })
    #expect(condition == #"WHERE roost_contains_regex("text", ?)"#)
    let pattern = try Regex("[0-9]+").ignoresCase()
    let text = SQLitePrinter.print(try query(#Predicate { $0.text.contains(pattern) }).select([]))
    #expect(text.arguments == [.text("(?i:[0-9]+)")])
    let optional = try self.condition(#Predicate { $0.maybeText?.contains(/a/) == true })
    #expect(optional.contains("roost_contains_regex"))
    // What is searched is a constant in the end, and the search depends on the row.
    let none: String? = nil
    let chosen = try self.condition(#Predicate { (($0.number == 1 ? none : none) ?? "aa").contains(/^a+/) })
    #expect(chosen == "WHERE roost_contains_regex(?, ?)")
    let code = Regex {
      TryCapture {
        /[0-9]+/
      } transform: {
        Int($0)
      }
    }
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try self.condition(#Predicate { $0.text.contains(code) })
    }
  }

  @Test func partsOfArraysAreAskedFor() throws {
    #expect(try condition(#Predicate { $0.words[0..<2].contains("a") }).contains("json_each"))
    #expect(try condition(#Predicate { $0.words[1..<2].isEmpty }).contains("json_array_length"))
    #expect(try condition(#Predicate { $0.words.starts(with: ["a"]) }).contains("roost_json_contains"))
    #expect(try condition(#Predicate { $0.words.contains(["a", "b"]) }).contains("roost_json_contains"))
  }

  @Test func expressionsOfSeveralValuesAreInlined() throws {
    let sum = Expression<Int, Int, Int> { _PredicateBuilder.add($0, $1) }
    let predicate = #Predicate<Subject> { sum.evaluate($0.number, $0.small) == 3 }
    #expect(try condition(predicate).contains(#""number" + "small""#))
    #expect(FetchDescriptor(predicate: predicate) == FetchDescriptor(predicate: predicate))
  }

  @Test func enumsCompareByTheirOwnOrder() throws {
    let query = try query(#Predicate { $0.level > .low })
    let text = SQLitePrinter.print(query.select([]))
    #expect(text.sql.hasSuffix(#"WHERE "t0"."level" IN (?, ?)"#))
    #expect(text.arguments == [.integer(1), .integer(3)])
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try condition(#Predicate { $0.url.lastPathComponent == "" })
    }
  }

  @Test func theIndexIsUsed() throws {
    try rows.connection.execute(
      SQLitePrinter.print(SQLCreateIndex("text", on: "Subject", columns: ["text"])).sql)
    try rows.connection.execute(
      SQLitePrinter.print(SQLCreateIndex("maybeText", on: "Subject", columns: ["maybeText"])).sql)
    let predicates: [Predicate<Subject>] = [
      #Predicate { $0.text == "abc" }, #Predicate { $0.text == "K" }, #Predicate { $0.maybeText == "abc" },
      #Predicate { $0.text.hasPrefix("ab") }, #Predicate { ["a", "b"].contains($0.text) },
      #Predicate { $0.maybeText == nil },
    ]
    for predicate in predicates {
      let text = SQLitePrinter.print(try query(predicate).select([primaryKeyColumn]))
      let statement = try rows.connection.statement("EXPLAIN QUERY PLAN " + text.sql)
      statement.bind(text.arguments)
      var plan = ""
      while try statement.step() { plan += statement.string(3) }
      #expect(plan.contains("SEARCH t0 USING"), "\(text.sql): \(plan)")
    }
  }

  @Test func whatIsUnsupportedIsNamed() throws {
    do {
      _ = try condition(#Predicate { $0.number > 1 && $0.words[$0.number] == "a" })
      Issue.record("not reached")
    } catch let error as SwiftDataError {
      #expect(error == .unsupportedPredicate)
      #expect(error.message.contains("$0.words[$0.number]"))
    }
  }

  @Test func listsOfPredicatesAreOneCondition() throws {
    let small = #Predicate<Subject> { $0.number < 3 }
    let flagged = #Predicate<Subject> { $0.flag }
    #expect(try condition(Predicate(all: [small, flagged])) == #"WHERE ("number" < ?) AND ("flag" = ?)"#)
    #expect(try condition(Predicate(any: [small, flagged])) == #"WHERE ("number" < ?) OR ("flag" = ?)"#)
    #expect(try condition(Predicate<Subject>(all: [])) == "")
    #expect(try condition(Predicate<Subject>(any: [])) == "WHERE 0")
    let nested = Predicate(any: [Predicate(all: [small, flagged]), #Predicate { $0.text == "abc" }])
    #expect(try condition(nested).hasPrefix(#"WHERE (("number" < ?) AND ("flag" = ?)) OR ("#))
  }

  @Test func thousandsOfPredicatesRun() throws {
    let numbers = (0..<2_000).map { number in #Predicate<Subject> { $0.number == number } }
    for list in [Predicate(any: numbers), Predicate(all: numbers.map { one in #Predicate { !one.evaluate($0) } })] {
      let text = SQLitePrinter.print(try query(list).select([primaryKeyColumn]))
      #expect(text.arguments.count == 2_000)
      let expected = try rows.subjects.indices.filter { try list.evaluate(rows.subjects[$0]) }
      #expect(try rows.positions(of: text).sorted() == expected)
    }
  }

  @Test func aCapturedNilThatIsUnwrappedIsAnErrorOfTheFetch() throws {
    let limit: Int? = nil
    let predicate = #Predicate<Subject> { $0.number <= limit! }
    #expect(throws: SwiftDataError.unsupportedPredicate) { try condition(predicate) }
    let least: Int? = 3
    #expect(try condition(#Predicate { $0.number <= least! }) == #"WHERE "number" <= ?"#)
  }

  @Test func limitsAndCounts() throws {
    var query = try query(#Predicate { $0.flag })
    #expect(SQLitePrinter.print(query.selectCount()).sql.hasPrefix("SELECT count(*) FROM"))
    query.limit = 3
    query.offset = 2
    #expect(SQLitePrinter.print(query.select(["text"])).sql.hasSuffix("LIMIT ? OFFSET ?"))
    #expect(SQLitePrinter.print(query.selectCount()).sql.hasSuffix(#"LIMIT ? OFFSET ?) AS "counted""#))
  }

  @Test func `a capture list names values, and repeats variables`() throws {
    let context = try makeLibrary()
    let (lack, other) = (Author(name: "Lack"), Author(name: "Tinbergen"))
    lack.books = [Book(title: "A"), Book(title: "B")]
    other.books = [Book(title: "C")]
    context.insert(lack)
    context.insert(other)
    try context.save()
    let title = "A"
    let predicates: [Predicate<Book>] = [
      #Predicate { [id = lack.persistentModelID] in $0.author?.persistentModelID == id },
      #Predicate { [id = lack.persistentModelID, title] book in
        book.author?.persistentModelID == id && book.title == title
      },
      #Predicate { [title = title.lowercased().uppercased()] in $0.title == title },
    ]
    let found = try predicates.map { try context.fetch(FetchDescriptor(predicate: $0)).map(\.title).sorted() }
    #expect(found == [["A", "B"], ["A"], ["A"]])
    let authors = try context.fetch(
      FetchDescriptor<Author>(
        predicate: #Predicate { author in author.books.contains { [title] book in book.title == title } }))
    #expect(authors.map(\.name) == ["Lack"])
  }
}
