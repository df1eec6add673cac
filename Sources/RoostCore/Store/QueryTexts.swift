package import RoostSQL
import Synchronization

/// All that a query's SQL depends on, apart from the values that it binds.
///
/// Translating a predicate and printing its SQL takes longer than finding a row. Programs ask the same questions with
/// other values again and again, so the text of one is kept for the next.
package struct QueryShape: Hashable {
  /// Types, key paths and operators in the order in which they come, by their addresses or numbers.
  private var parts: [UInt] = []
  /// The key paths: an address may be another's once its object is gone.
  private var held: [AnyObject] = []
  /// What the query binds, in order.
  package private(set) var values: [SQLValue] = []
  /// The places of those that are the same in all queries of the shape.
  private var constants: Set<Int> = []

  package init() {
    parts.reserveCapacity(12)
    values.reserveCapacity(4)
  }

  package mutating func note(_ number: Int) { parts.append(UInt(bitPattern: number)) }
  package mutating func note(_ type: any Any.Type) { parts.append(UInt(bitPattern: ObjectIdentifier(type))) }
  package mutating func bind(_ value: SQLValue, isConstant: Bool = false) {
    if isConstant { constants.insert(values.count) }
    values.append(value)
  }

  package mutating func note(_ keyPath: AnyKeyPath) {
    parts.append(UInt(bitPattern: ObjectIdentifier(keyPath)))
    held.append(keyPath)
  }

  package static func == (lhs: QueryShape, rhs: QueryShape) -> Bool { lhs.parts == rhs.parts }
  package func hash(into hasher: inout Hasher) { parts.withUnsafeBytes { hasher.combine(bytes: $0) } }

  /// Whether a text binds just the values, and each that may be another next time can be told from all others, so that
  /// their order shows.
  fileprivate func explains(_ arguments: [SQLValue]) -> Bool {
    guard arguments == values else { return false }
    let fixed = Set(constants.map { values[$0] })
    let others = values.indices.filter { !constants.contains($0) }.map { values[$0] }
    return Set(others).count == others.count && fixed.isDisjoint(with: others)
  }
}

/// The SQL of the queries that were asked lately.
package final class QueryTexts: Sendable {
  package struct Entry: Sendable {
    package let sql: String
    /// The tables that it reads.
    package let tables: Set<String>
  }

  /// How many are kept before all are given up.
  private static var capacity: Int { 256 }

  // SAFETY: only a shape's hash and its equality are asked for here; its numbers and values are `Sendable`, and the
  // objects that it holds are key paths, which are immutable and which nobody here evaluates.
  private struct Key: Hashable, @unchecked Sendable {
    let shape: QueryShape
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// How many are kept, for tests.
  package var count: Int { entries.withLock { $0.count } }

  package subscript(shape: QueryShape) -> Entry? {
    let key = Key(shape: shape)
    return entries.withLock { $0[key] }
  }

  /// Keeps a text, if the values that it binds are those of the shape.
  package func add(_ text: SQLText, reading tables: Set<String>, for shape: QueryShape) {
    guard shape.explains(text.arguments) else { return }
    let (key, entry) = (Key(shape: shape), Entry(sql: text.sql, tables: tables))
    entries.withLock { entries in
      if entries.count >= Self.capacity { entries = [:] }
      entries[key] = entry
    }
  }
}
