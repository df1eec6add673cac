import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import RoostSQL
import Testing

/// Rows come in the order in which Swift would sort the models.
@Suite struct SortTests {
  private let rows: SubjectRows
  private let seed = SeededRandom.seed

  init() throws {
    rows = try SubjectRows()
    var random = SeededRandom(seed: seed)
    try rows.refill(&random, count: 60)
  }

  private func query(_ descriptors: [SortDescriptor<Subject>]) throws -> QueryBuilder {
    var query = QueryBuilder(root: rows.schema.entity(for: Subject.self)!) { rows.schema.entity(for: $0) }
    try query.sort(descriptors)
    return query
  }

  /// Whether the order that SQL gives never decreases by the values.
  private func isSorted<Value>(
    _ descriptor: SortDescriptor<Subject>, _ value: (Subject) -> Value, _ isLess: (Value, Value) -> Bool
  ) throws -> Bool {
    let text = SQLitePrinter.print(try query([descriptor]).select([primaryKeyColumn]))
    let values = try rows.positions(of: text).map { value(rows.subjects[$0]) }
    let pairs = zip(values, values.dropFirst())
    return values.count == 60
      && pairs.allSatisfy { descriptor.order == .forward ? !isLess($1, $0) : !isLess($0, $1) }
  }

  private func isLess<Value: Comparable>(_ left: Value?, _ right: Value?) -> Bool {
    guard let right else { return false }
    return left.map { $0 < right } ?? true
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func everyOrderedType(_ order: SortOrder) throws {
    #expect(try isSorted(SortDescriptor(\.flag, order: order), \.flag) { !$0 && $1 })
    #expect(try isSorted(SortDescriptor(\.maybeFlag, order: order), { $0.maybeFlag.map { $0 ? 1 : 0 } }, isLess))
    #expect(try isSorted(SortDescriptor(\.packed.flag, order: order), \.packed.flag) { !$0 && $1 })
    #expect(try isSorted(SortDescriptor(\.number, order: order), \.number, <))
    #expect(try isSorted(SortDescriptor(\.maybeNumber, order: order), \.maybeNumber, isLess))
    #expect(try isSorted(SortDescriptor(\.uint64, order: order), \.uint64, <))
    #expect(try isSorted(SortDescriptor(\.maybeUInt64, order: order), \.maybeUInt64, isLess))
    #expect(try isSorted(SortDescriptor(\.double, order: order), \.double, <))
    #expect(try isSorted(SortDescriptor(\.float, order: order), \.float, <))
    #expect(try isSorted(SortDescriptor(\.date, order: order), \.date, <))
    #expect(try isSorted(SortDescriptor(\.uuid, order: order), \.uuid, <))
    #expect(try isSorted(SortDescriptor(\.decimal, order: order), \.decimal, <))
    #expect(try isSorted(SortDescriptor(\.level, order: order), \.level, <))
    #expect(try isSorted(SortDescriptor(\.grade, order: order), \.grade, <))
    #expect(try isSorted(SortDescriptor(\.maybeLevel, order: order), \.maybeLevel, isLess))
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `fields of composite attributes sort by their values`(_ order: SortOrder) throws {
    #expect(try isSorted(SortDescriptor(\.packed.number, order: order), \.packed.number, <))
    #expect(try isSorted(SortDescriptor(\.packed.maybeNumber, order: order), \.packed.maybeNumber, isLess))
    #expect(try isSorted(SortDescriptor(\.maybePacked?.number, order: order), \.maybePacked?.number, isLess))
    #expect(try isSorted(SortDescriptor(\.packed.uint64, order: order), \.packed.uint64, <))
    #expect(try isSorted(SortDescriptor(\.maybePacked?.double, order: order), \.maybePacked?.double, isLess))
    #expect(try isSorted(SortDescriptor(\.packed.float, order: order), \.packed.float, <))
    #expect(try isSorted(SortDescriptor(\.packed.maybeDate, order: order), \.packed.maybeDate, isLess))
    #expect(try isSorted(SortDescriptor(\.packed.uuid, order: order), \.packed.uuid, <))
    #expect(try isSorted(SortDescriptor(\.packed.decimal, order: order), \.packed.decimal, <))
    #expect(try isSorted(SortDescriptor(\.packed.level, order: order), \.packed.level, <))
    #expect(try isSorted(SortDescriptor(\.packed.inner.double, order: order), \.packed.inner.double, <))
    // By the descriptor itself: Foundation's own comparison calls each of a few pairs the lesser.
    let texts = SortDescriptor(\Subject.packed.text, comparator: .localizedStandard, order: order)
    let ascending = SortDescriptor(\Subject.packed.text, comparator: .localizedStandard)
    #expect(try isSorted(texts, { $0 }) { ascending.compare($0, $1) == .orderedAscending }, "seed \(seed)")
  }

  @Test func strings() throws {
    // Compared as Unicode prescribes; `<` itself contradicts that where one string begins with the other.
    let scalars: (Subject) -> [UInt32] = {
      $0.text.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
    }
    #expect(try isSorted(SortDescriptor(\.text, comparator: .lexical), scalars) { $0.lexicographicallyPrecedes($1) })
  }

  @Test func `an enum whose raw values are in order is sorted by its column`() throws {
    let sql = SQLitePrinter.print(try query([SortDescriptor(\.grade)]).select(["text"])).sql
    #expect(sql.hasSuffix(#"ORDER BY "t0"."grade", "t0"."_pk""#))
  }

  @Test func throughAToOneRelationship() throws {
    #expect(try isSorted(SortDescriptor(\.owner?.rank), \.owner?.rank, isLess))
    let sql = SQLitePrinter.print(try query([SortDescriptor(\.owner?.name, comparator: .lexical)]).select(["text"])).sql
    #expect(sql.hasSuffix(#"ORDER BY "t1"."name" COLLATE roost_unicode, "t0"."_pk""#))
  }

  @Test func whatHasNoOrderIsNamed() throws {
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try query([SortDescriptor(\Subject.text.count)]) }
  }
}
