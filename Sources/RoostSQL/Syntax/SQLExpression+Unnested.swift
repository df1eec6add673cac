extension SQLExpression {
  /// How deep ANDs, ORs and NOTs may be inside each other as they are.
  private static var deepestNesting: Int { 8 }

  /// The same condition, with those that are deep inside each other side by side.
  ///
  /// SQLite's parser keeps up to three symbols for each parenthesis that is open, and has room for 100. What is deeper is
  /// a `CASE`, whose branches take room one after the other: `e OR (d AND (c OR b))` is
  /// `CASE WHEN e THEN 1 WHEN NOT d THEN 0 WHEN c THEN 1 ELSE b END`. SQLite finds no index for what is in there, so
  /// conditions that are not deep, and those that all must hold, stay as they are.
  package var unnested: SQLExpression {
    guard nesting > Self.deepestNesting else { return self }
    if case .all(let operands) = self { return .all(operands.map(\.unnested)) }
    return sideBySide
  }

  private var sideBySide: SQLExpression {
    var branches: [SQLBranch] = []
    var (rest, isNegated) = (self, false)
    // The largest part is what the last branch goes on with, so that the others get smaller by half at least.
    while rest.nesting > 0 {
      switch rest {
      case .unary(.not, let operand):
        (rest, isNegated) = (operand, !isNegated)
      case .all(let operands) where operands.count == 1, .any(let operands) where operands.count == 1:
        rest = operands[0]
      case .all(let operands):
        let (others, largest) = Self.split(operands)
        branches.append(SQLBranch(when: !.all(others), then: .literal(.integer(isNegated ? 1 : 0))))
        rest = largest
      case .any(let operands):
        let (others, largest) = Self.split(operands)
        branches.append(SQLBranch(when: .any(others), then: .literal(.integer(isNegated ? 0 : 1))))
        rest = largest
      case .conditional(let inner, let otherwise?) where !isNegated:
        branches += inner.map { SQLBranch(when: $0.condition.unnested, then: $0.result.unnested) }
        rest = otherwise
      default: return .conditional(branches, otherwise: isNegated ? !rest : rest)
      }
    }
    return .conditional(branches, otherwise: isNegated ? !rest : rest)
  }

  private static func split(_ operands: [SQLExpression]) -> (others: [SQLExpression], largest: SQLExpression) {
    let sizes = operands.map(\.size)
    guard let place = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else { return ([], .all([])) }
    var others = operands
    let largest = others.remove(at: place)
    return (others.map(\.unnested), largest)
  }

  /// How many conditions are inside each other here.
  private var nesting: Int {
    switch self {
    case .unary(.not, let operand): 1 + operand.nesting
    case .all(let operands), .any(let operands): operands.isEmpty ? 0 : 1 + (operands.map(\.nesting).max() ?? 0)
    case .conditional(let branches, let otherwise):
      1 + (branches.flatMap { [$0.condition.nesting, $0.result.nesting] } + [otherwise?.nesting ?? 0]).reduce(0, max)
    default: 0
    }
  }

  /// How many conditions this is made of.
  private var size: Int {
    switch self {
    case .unary(.not, let operand): 1 + operand.size
    case .all(let operands), .any(let operands): operands.reduce(1) { $0 + $1.size }
    case .conditional(let branches, let otherwise):
      branches.reduce(1 + (otherwise?.size ?? 0)) { $0 + $1.condition.size + $1.result.size }
    default: 1
    }
  }
}
