import RoostCore
internal import RoostSQL

/// The cases of an enum kept as raw values.
///
/// Their order and their computed properties are the program's code, which SQL cannot run. But there are few cases:
/// the code is run here for each, and the results listed.
struct EnumCases {
  private let codec: any _AttributeCodec.Type
  private let cases: [Any]

  /// nil if the type's cases are not known, or too many.
  init?(_ meaning: ColumnMeaning) throws {
    func allCases<Codec: _AttributeCodec>(_ codec: Codec.Type) -> [Any]? {
      func open<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { Array(type.allCases) }
      return (Codec.Value.self as? any CaseIterable.Type).map { open($0) } ?? Placeholder.enumCases(Codec.Value.self)
    }
    guard let cases = allCases(meaning.codec), cases.count <= 1000 else { return nil }
    codec = meaning.codec
    self.cases = cases
  }

  /// A number for each case, in the order of `<`, or the raw values where those have that order; nil if the type has
  /// none.
  func ranks(of sql: SQLExpression) throws -> SQLExpression? {
    guard cases.first is any Comparable else { return nil }
    let sorted = cases.sorted { Self.isLess($0, $1) }
    // An index on the column is of use then.
    if try zip(sorted, sorted.dropFirst()).allSatisfy({ try areInOrder($0, $1) }) { return sql }
    var branches: [SQLBranch] = []
    var rank: Int64 = 0
    for (index, value) in sorted.enumerated() {
      // Cases that are equal in order have one rank.
      if index > 0, Self.isLess(sorted[index - 1], value) { rank += 1 }
      branches.append(try branch(sql, value, .integer(rank)))
    }
    return .conditional(branches, otherwise: nil)
  }

  /// The stored values of the cases that fulfil a condition; nil if it is not decided for one.
  func list(where condition: (Any) throws -> Bool?) throws -> [SQLExpression]? {
    var list: [SQLExpression] = []
    for value in cases {
      guard let isIn = try condition(value) else { return nil }
      if isIn { list.append(.value(try encode(value))) }
    }
    return list
  }

  /// One value for each case.
  func map(_ sql: SQLExpression, _ body: (Any) throws -> SQLValue) throws -> SQLExpression {
    .conditional(try cases.map { try branch(sql, $0, .value(body($0))) }, otherwise: nil)
  }

  /// Whether one case comes before another by `<` and by its raw value.
  private func areInOrder(_ left: Any, _ right: Any) throws -> Bool {
    guard Self.isLess(left, right) else { return false }
    return switch (try encode(left), try encode(right)) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }

  private func branch(_ sql: SQLExpression, _ value: Any, _ result: SQLExpression) throws -> SQLBranch {
    SQLBranch(when: .binary(.equal, sql, .value(try encode(value))), then: result)
  }

  private func encode(_ value: Any) throws -> SQLValue {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) throws -> SQLValue {
      guard let value = value as? Codec.Value else { return .null }
      return try Codec.encode(value)
    }
    return try open(codec)
  }

  private static func isLess(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any Comparable else { return false }
    func open<Value: Comparable>(_ left: Value) -> Bool { (right as? Value).map { left < $0 } ?? false }
    return open(left)
  }
}
