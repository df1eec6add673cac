import RoostSQL
import Testing

/// Conditions deep inside each other, side by side.
@Suite struct UnnestedTests {
  private func column(_ number: Int) -> SQLExpression { .column("c\(number)") }

  private func text(_ expression: SQLExpression) -> String {
    SQLitePrinter.print(expression).sql.replacing("\"", with: "")
  }

  /// `c0`, `c1 AND c0`, `c2 OR (c1 AND c0)` and so on.
  private func alternation(_ depth: Int) -> SQLExpression {
    (1...depth).reduce(column(0)) { inner, number in
      number.isMultiple(of: 2) ? .any([column(number), inner]) : .all([column(number), inner])
    }
  }

  @Test func `what is not deep stays as it is`() {
    #expect(alternation(8).unnested == alternation(8))
    let conjunction = SQLExpression.all((0..<500).map(column))
    #expect(conjunction.unnested == conjunction)
  }

  @Test func `what is deep becomes the branches of a CASE`() {
    #expect(
      text(alternation(10).unnested)
        == "CASE WHEN c10 THEN 1 WHEN NOT ifnull(c9, 0) THEN 0 WHEN c8 THEN 1 WHEN NOT ifnull(c7, 0) THEN 0 WHEN c6 THEN 1 "
        + "WHEN NOT ifnull(c5, 0) THEN 0 WHEN c4 THEN 1 WHEN NOT ifnull(c3, 0) THEN 0 WHEN c2 THEN 1 "
        + "WHEN NOT ifnull(c0, 0) THEN 0 ELSE c1 END")
    #expect(text((!alternation(9)).unnested).hasPrefix("CASE WHEN NOT c9 THEN 1 WHEN NOT ifnull(NOT c8, 0) THEN 0 "))
  }

  @Test func `conditions that must all hold stay for the planner`() {
    let condition = SQLExpression.all([column(77), alternation(20), column(78)])
    let sql = text(condition.unnested)
    #expect(sql.hasPrefix("c77 AND CASE WHEN ") && sql.hasSuffix(" END AND c78"))
  }

  @Test func `a thousand levels take few parentheses`() {
    let sql = text(alternation(1_000).unnested)
    #expect(greatestDepth(sql) == 1 && sql.matches(of: /c\d/).count == 1_001)
    // Of two parts that are deep, one is inside, and has half the size at most.
    let both = SQLExpression.any([alternation(500), .all([column(9), alternation(400)])])
    #expect(greatestDepth(text(both.unnested)) < 10)
  }

  private func greatestDepth(_ sql: String) -> Int {
    var (depth, greatest) = (0, 0)
    for character in sql {
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      greatest = max(greatest, depth)
    }
    return greatest
  }

  /// A random condition of eight columns.
  private func condition(_ depth: Int, _ random: inout some RandomNumberGenerator) -> SQLExpression {
    if depth == 0 || Int.random(in: 0..<12, using: &random) == 0 {
      return column(Int.random(in: 0..<8, using: &random))
    }
    var operands = [condition(depth - 1, &random)]
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      operands.append(condition(Int.random(in: 0..<min(depth, 4), using: &random), &random))
    }
    operands.shuffle(using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return !operands[0]
    case 1, 2, 3: return .all(operands)
    case 4 where operands.count > 1:
      return .conditional([SQLBranch(when: operands[0], then: operands[1])], otherwise: operands[0])
    default: return .any(operands)
    }
  }

  /// The value as SQL has it: nil for NULL.
  private func value(_ expression: SQLExpression, _ columns: [Bool?]) -> Bool? {
    switch expression {
    case .column(_, let name): return columns[Int(name.dropFirst())!]
    case .literal(.integer(let number)): return number == 1
    case .function(.ifNull, let operands): return value(operands[0], columns) ?? value(operands[1], columns)
    case .not(let operand): return value(operand, columns).map { !$0 }
    case .all(let operands):
      let values = operands.map { value($0, columns) }
      return values.contains(false) ? false : values.contains(nil) ? nil : true
    case .any(let operands):
      let values = operands.map { value($0, columns) }
      return values.contains(true) ? true : values.contains(nil) ? nil : false
    case .conditional(let branches, let otherwise):
      for branch in branches where value(branch.condition, columns) == true { return value(branch.result, columns) }
      return otherwise.flatMap { value($0, columns) }
    default: return nil
    }
  }

  @Test func `random conditions hold where they did, whatever is NULL`() {
    var random = SystemRandomNumberGenerator()
    var unknown = 0
    for _ in 0..<300 {
      let condition = condition(Int.random(in: 6...40, using: &random), &random)
      let unnested = condition.unnested
      for _ in 0..<10 {
        let columns: [Bool?] = (0..<8).map { _ in [true, false, nil].randomElement(using: &random)! }
        let expected = value(condition, columns)
        if expected == nil { unknown += 1 }
        #expect((value(unnested, columns) ?? false) == (expected ?? false), "\(text(condition)) with \(columns)")
      }
    }
    #expect(unknown > 0)
  }
}
