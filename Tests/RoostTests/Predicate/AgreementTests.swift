import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import RoostSQL
import Testing

/// SQL and memory agree: the rows that a translated predicate selects are those that it evaluates to true for.
@Suite struct AgreementTests {
  @Test func randomPredicatesSelectWhatTheyEvaluateToTrue() throws {
    let seed = SeededRandom.seed
    let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 20_000
    print("ROOST_SEED=\(seed) ROOST_CASES=\(cases)")
    let rows = try SubjectRows()
    let generator = PredicateGenerator(SeededRandom(seed: seed), rows)
    var report = AgreementReport()
    var coverage = NodeCoverage()
    let archive = SubjectArchive()
    var archived = 0
    for index in 0..<cases {
      if index % 100 == 0 { try rows.refill(&generator.random, count: 10) }
      let predicate = generator.predicate(depth: generator.random.below(5))
      report.check(predicate, rows)
      coverage.count(predicate)
      if index.isMultiple(of: 10), let again = try archive.again(predicate) {
        report.check(again, rows, as: predicate)
        archived += 1
      }
      // What is evaluated only where the ones before have not decided must fail only there, too.
      if index.isMultiple(of: 10) {
        let list = (0..<3).map { _ in generator.predicate(depth: 1) }
        report.check(index.isMultiple(of: 20) ? Predicate(all: list) : Predicate(any: list), rows)
      }
      if report.disagreements.count >= 5 { break }
    }
    print(report.summary)
    print(coverage.summary)
    print("\(archived) predicates encoded and decoded")
    #expect(archived > cases / 15)
    if cases >= 10_000 { #expect(coverage.missing.isEmpty, "seed \(seed) has none of \(coverage.missing)") }
    #expect(report.disagreements.isEmpty, "seed \(seed):\n\(report.disagreements.joined(separator: "\n\n"))")
    #expect(report.unsupported.isEmpty, "seed \(seed): \(report.unsupported)")
    // A test in which nothing, or everything, matches would show nothing.
    #expect(report.matches > report.rows / 10 && report.matches < report.rows * 9 / 10)
  }

  @Test func `keys of a dictionary with a NUL are not cut there`() throws {
    let rows = try SubjectRows()
    var random = SeededRandom(seed: SeededRandom.seed)
    try rows.refill(&random, count: 4)
    let scores = [
      ["a": 1, "a\0b": 2, "a\0c": 3], ["\u{E9}\0": 1], ["e\u{301}": 1, "\u{E9}\0b": 2], ["a\0b": 7, "b": 1],
    ]
    for (subject, scores) in zip(rows.subjects, scores) { subject.scores = scores }
    try rows.rewrite()
    var report = AgreementReport()
    report.check(#Predicate { $0.scores.count == 3 }, rows)
    report.check(#Predicate { $0.scores.count == 1 }, rows)
    report.check(#Predicate { $0.scores["a"] == nil }, rows)
    report.check(#Predicate { $0.scores["b"] == 1 }, rows)
    report.check(#Predicate { $0.scores["\u{E9}"] == nil }, rows)
    report.check(#Predicate { $0.scores["\u{E9}"] == 1 }, rows)
    #expect(report.disagreements.isEmpty, "\(report.disagreements.joined(separator: "\n\n"))")
    #expect(report.matches == 1 + 1 + 3 + 1 + 3 + 1)
  }
}

/// What came out of comparing many predicates.
struct AgreementReport {
  var disagreements: [String] = []
  var unsupported: [String: Int] = [:]
  var matches = 0
  var rows = 0
  var failures = 0
  var nils = 0

  private static func isNil(_ error: SwiftDataError) -> Bool {
    error.message.contains("The captured value is nil") || error.message.contains("Its evaluation fails")
  }

  var summary: String {
    "\(rows) rows asked, \(matches) matched, \(failures) failed to evaluate, \(nils) predicates unwrapped nil"
  }

  /// `original`: what the rows must be selected by, if not the predicate itself.
  mutating func check(_ predicate: Predicate<Subject>, _ rows: SubjectRows, as original: Predicate<Subject>? = nil) {
    var expected: [Int] = []
    for (index, subject) in rows.subjects.enumerated() {
      do {
        if try (original ?? predicate).evaluate(subject) { expected.append(index) }
      } catch {
        failures += 1
      }
    }
    self.rows += rows.subjects.count
    matches += expected.count
    var text: SQLText?
    do {
      var query = QueryBuilder(root: rows.schema.entity(for: Subject.self)!) { rows.schema.entity(for: $0) }
      try query.filter(predicate)
      text = SQLitePrinter.print(query.select([primaryKeyColumn]))
      let found = try rows.positions(of: text!).sorted()
      guard found != expected else { return }
      let row = Set(found).symmetricDifference(expected).min().map { rows.describe($0) } ?? ""
      disagreements.append(
        "SQL \(found), memory \(expected)\n\(text!.sql)\n\("\(text!.arguments)".prefix(2000))\n\(row)")
    } catch let error as SwiftDataError where Self.isNil(error) {
      // `nil!` of a captured nil is an error rather than a query that finds nothing.
      nils += 1
    } catch let error as SwiftDataError {
      unsupported["\(error.message)", default: 0] += 1
    } catch {
      disagreements.append("\(error)\n\(predicate.expression)\n\(text?.sql ?? "") \(text?.arguments ?? [])")
    }
  }
}
