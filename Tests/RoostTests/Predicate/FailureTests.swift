import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import RoostSQL
import Testing

/// Rows in which evaluation would throw or trap do not match, whatever is made of the part that fails.
@Suite struct FailureTests {
  private let rows: SubjectRows

  init() throws {
    rows = try SubjectRows()
    var random = SeededRandom(seed: 1)
    try rows.refill(&random, count: 4)
  }

  private func matches(
    _ predicate: Predicate<Subject>, _ values: [(Subject) -> Void]
  ) throws -> [Int] {
    for (subject, value) in zip(rows.subjects, values) { value(subject) }
    try rows.rewrite()
    var query = QueryBuilder(root: rows.schema.entity(for: Subject.self)!) { rows.schema.entity(for: $0) }
    try query.filter(predicate)
    return try rows.positions(of: SQLitePrinter.print(query.select([primaryKeyColumn]))).sorted()
      .filter { $0 < values.count }
  }

  @Test func overflow() throws {
    let numbers: [(Subject) -> Void] = [{ $0.number = .max }, { $0.number = 5 }, { $0.number = .min }]
    #expect(try matches(#Predicate { $0.number + 1 > 0 }, numbers) == [1])
    #expect(try matches(#Predicate { !($0.number + 1 > 0) }, numbers) == [2])
    #expect(try matches(#Predicate { $0.number * 2 == 10 || $0.number == .max }, numbers) == [1])
    #expect(try matches(#Predicate { $0.number == .max || $0.number * 2 == 10 }, numbers) == [0, 1])
    #expect(try matches(#Predicate { $0.number / -1 < 0 }, numbers) == [0, 1])
    #expect(try matches(#Predicate { $0.number % -1 == 0 }, numbers) == [0, 1])
    #expect(try matches(#Predicate { -$0.number < 0 }, numbers) == [0, 1])
    let bytes: [(Subject) -> Void] = [{ $0.int8 = 127 }, { $0.int8 = 1 }, { $0.int8 = -128 }]
    #expect(try matches(#Predicate { $0.int8 + 1 != 0 }, bytes) == [1, 2])
    #expect(try matches(#Predicate { $0.int8 - 1 != 0 }, bytes) == [0])
    let unsigned: [(Subject) -> Void] = [{ $0.uint64 = .max }, { $0.uint64 = 1 }, { $0.uint64 = 0 }]
    #expect(try matches(#Predicate { $0.uint64 + 1 > 0 }, unsigned) == [1, 2])
    #expect(try matches(#Predicate { $0.uint64 - 1 >= 0 }, unsigned) == [0, 1])
    #expect(try matches(#Predicate { $0.uint64 / 2 == 9_223_372_036_854_775_807 }, unsigned) == [0])
  }

  @Test func divisionByZero() throws {
    let numbers: [(Subject) -> Void] = [{ $0.small = 0 }, { $0.small = 2 }]
    #expect(try matches(#Predicate { 10 / $0.small == 5 }, numbers) == [1])
    #expect(try matches(#Predicate { !(10 / $0.small == 5) }, numbers) == [])
    #expect(try matches(#Predicate { 10 % $0.small == 0 }, numbers) == [1])
    #expect(try matches(#Predicate { $0.small == 0 || 10 / $0.small == 5 }, numbers) == [0, 1])
    #expect(try matches(#Predicate { $0.small != 0 && 10 / $0.small == 5 }, numbers) == [1])
    let reals: [(Subject) -> Void] = [{ $0.double = 0 }, { $0.double = 2 }]
    #expect(try matches(#Predicate { 1 / $0.double > 1 }, reals) == [0])
  }

  @Test func unwrappedNil() throws {
    let texts: [(Subject) -> Void] = [{ $0.maybeText = nil }, { $0.maybeText = "a" }]
    #expect(try matches(#Predicate { $0.maybeText! == "a" }, texts) == [1])
    #expect(try matches(#Predicate { $0.maybeText! != "a" }, texts) == [])
    #expect(try matches(#Predicate { !($0.maybeText! == "b") }, texts) == [1])
    #expect(try matches(#Predicate { $0.maybeText == nil || $0.maybeText! == "a" }, texts) == [0, 1])
  }

  @Test func notANumber() throws {
    let reals: [(Subject) -> Void] = [{ $0.double = .infinity }, { $0.double = 1 }]
    #expect(try matches(#Predicate { $0.double - $0.double == 0 }, reals) == [1])
    #expect(try matches(#Predicate { $0.double - $0.double != 0 }, reals) == [0])
    #expect(try matches(#Predicate { !($0.double - $0.double < 1) }, reals) == [0])
    let nan = Double.nan
    #expect(try matches(#Predicate { $0.double != nan }, reals) == [0, 1])
    #expect(try matches(#Predicate { $0.double < nan }, reals) == [])
  }
}
