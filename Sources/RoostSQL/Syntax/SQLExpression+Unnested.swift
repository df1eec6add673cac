extension SQLExpression {
  /// How deep ANDs, ORs and NOTs may be inside each other as they are.
  private static var deepestNesting: Int { 8 }

  /// A condition that holds in the same rows, with those that are deep inside each other side by side.
  ///
  /// SQLite's parser keeps up to three symbols for each parenthesis that is open, and has room for 100. What is deeper
  /// is a `CASE`, whose branches take room one after the other: `e OR (d AND (c OR b))` is `CASE WHEN e THEN 1 WHEN NOT
  /// ifnull(d, 0) THEN 0 WHEN c THEN 1 ELSE b END`. SQLite finds no index for what is in there, so conditions that are
  /// not deep, and those that all must hold, stay as they are.
  ///
  /// NULL may become 0, which is the same to a condition: no NOT is around what was deep.
  package var unnested: SQLExpression {
    guard nesting > Self.deepestNesting else { return self }
    return negated(false).flat
  }

  /// The same, or its negation, with each NOT moved inwards to what is neither AND nor OR.
  private func negated(_ isNegated: Bool) -> SQLExpression {
    switch self {
    case .not(let operand): return operand.negated(!isNegated)
    case .all(let operands):
      let parts = operands.map { $0.negated(isNegated) }
      return isNegated ? .any(parts) : .all(parts)
    case .any(let operands):
      let parts = operands.map { $0.negated(isNegated) }
      return isNegated ? .all(parts) : .any(parts)
    default: return isNegated ? !self : self
    }
  }

  private var flat: SQLExpression {
    guard nesting > Self.deepestNesting else { return self }
    if case .all(let operands) = self { return .all(operands.map(\.flat)) }
    return sideBySide
  }

  private var sideBySide: SQLExpression {
    var branches: [SQLBranch] = []
    var rest = self
    // The largest part is what the last branch goes on with, so that the others get smaller by half at least.
    while true {
      switch rest {
      case .all(let operands) where operands.count == 1, .any(let operands) where operands.count == 1:
        rest = operands[0]
      case .all(let operands) where !operands.isEmpty:
        let (others, largest) = Self.split(operands)
        let holds = SQLExpression.function(.ifNull, [.all(others), .literal(.integer(0))])
        branches.append(SQLBranch(when: !holds, then: .literal(.integer(0))))
        rest = largest
      case .any(let operands) where !operands.isEmpty:
        let (others, largest) = Self.split(operands)
        branches.append(SQLBranch(when: .any(others), then: .literal(.integer(1))))
        rest = largest
      case .conditional(let inner, let otherwise?):
        branches += inner.map { SQLBranch(when: $0.condition.unnested, then: $0.result.unnested) }
        rest = otherwise
      default: return branches.isEmpty ? rest : .conditional(branches, otherwise: rest)
      }
    }
  }

  private static func split(_ operands: [SQLExpression]) -> (others: [SQLExpression], largest: SQLExpression) {
    let sizes = operands.map(\.size)
    guard let place = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else { return ([], .all([])) }
    var others = operands
    let largest = others.remove(at: place)
    return (others.map(\.flat), largest)
  }

  /// How many conditions are inside each other here.
  private var nesting: Int {
    switch self {
    case .not(let operand): 1 + operand.nesting
    case .all(let operands), .any(let operands): operands.isEmpty ? 0 : 1 + (operands.map(\.nesting).max() ?? 0)
    case .conditional(let branches, let otherwise):
      1 + (branches.flatMap { [$0.condition.nesting, $0.result.nesting] } + [otherwise?.nesting ?? 0]).reduce(0, max)
    default: 0
    }
  }

  /// How many conditions this is made of.
  private var size: Int {
    switch self {
    case .not(let operand): 1 + operand.size
    case .all(let operands), .any(let operands): operands.reduce(1) { $0 + $1.size }
    case .conditional(let branches, let otherwise):
      branches.reduce(1 + (otherwise?.size ?? 0)) { $0 + $1.condition.size + $1.result.size }
    default: 1
    }
  }
}
