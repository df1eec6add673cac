internal import Foundation

extension PredicateReader {
  static let operators: [String: Make] = [
    "Equal": { reader, archived in
      let left = try reader.operand(archived, "lhs")
      func open<Value: Equatable>(_ type: Value.Type) throws -> Node {
        try Nodes.Equal(lhs: reader.decoded(left, as: type), rhs: reader.operand(archived, "rhs", as: type))
      }
      return try open(reader.requirement((any Equatable.Type).self, output(of: left), archived))
    },
    "NotEqual": { reader, archived in
      let left = try reader.operand(archived, "lhs")
      func open<Value: Equatable>(_ type: Value.Type) throws -> Node {
        try Nodes.NotEqual(lhs: reader.decoded(left, as: type), rhs: reader.operand(archived, "rhs", as: type))
      }
      return try open(reader.requirement((any Equatable.Type).self, output(of: left), archived))
    },
    "Comparison": { reader, archived in
      let left = try reader.operand(archived, "lhs")
      let operators: [String: Nodes.ComparisonOperator] = [
        "lessThan": .lessThan, "lessThanOrEqual": .lessThanOrEqual, "greaterThan": .greaterThan,
        "greaterThanOrEqual": .greaterThanOrEqual,
      ]
      guard let op = operators[archived.text ?? ""] else { throw reader.corrupt("An operator is missing.") }
      func open<Value: Comparable>(_ type: Value.Type) throws -> Node {
        try Nodes.Comparison(
          lhs: reader.decoded(left, as: type), rhs: reader.operand(archived, "rhs", as: type), op: op)
      }
      return try open(reader.requirement((any Comparable.Type).self, output(of: left), archived))
    },
    "Arithmetic": { reader, archived in
      let left = try reader.operand(archived, "lhs")
      let operators: [String: Nodes.ArithmeticOperator] = ["add": .add, "subtract": .subtract, "multiply": .multiply]
      guard let op = operators[archived.text ?? ""] else { throw reader.corrupt("An operator is missing.") }
      func open<Value: Numeric>(_ type: Value.Type) throws -> Node {
        try Nodes.Arithmetic(
          lhs: reader.decoded(left, as: type), rhs: reader.operand(archived, "rhs", as: type), op: op)
      }
      return try open(reader.requirement((any Numeric.Type).self, output(of: left), archived))
    },
    "UnaryMinus": { reader, archived in
      let operand = try reader.operand(archived, "wrapped")
      func open<Value: SignedNumeric>(_ type: Value.Type) throws -> Node {
        try Nodes.UnaryMinus(reader.decoded(operand, as: type))
      }
      return try open(reader.requirement((any SignedNumeric.Type).self, output(of: operand), archived))
    },
    "IntDivision": { reader, archived in
      let left = try reader.operand(archived, "lhs")
      func open<Value: BinaryInteger>(_ type: Value.Type) throws -> Node {
        try Nodes.IntDivision(lhs: reader.decoded(left, as: type), rhs: reader.operand(archived, "rhs", as: type))
      }
      return try open(reader.requirement((any BinaryInteger.Type).self, output(of: left), archived))
    },
    "IntRemainder": { reader, archived in
      let left = try reader.operand(archived, "lhs")
      func open<Value: BinaryInteger>(_ type: Value.Type) throws -> Node {
        try Nodes.IntRemainder(lhs: reader.decoded(left, as: type), rhs: reader.operand(archived, "rhs", as: type))
      }
      return try open(reader.requirement((any BinaryInteger.Type).self, output(of: left), archived))
    },
    "FloatDivision": { reader, archived in
      let left = try reader.operand(archived, "lhs")
      func open<Value: FloatingPoint>(_ type: Value.Type) throws -> Node {
        try Nodes.FloatDivision(lhs: reader.decoded(left, as: type), rhs: reader.operand(archived, "rhs", as: type))
      }
      return try open(reader.requirement((any FloatingPoint.Type).self, output(of: left), archived))
    },
    "Range": { reader, archived in
      let lower = try reader.operand(archived, "lower")
      func open<Value: Comparable>(_ type: Value.Type) throws -> Node {
        try Nodes.Range(lower: reader.decoded(lower, as: type), upper: reader.operand(archived, "upper", as: type))
      }
      return try open(reader.requirement((any Comparable.Type).self, output(of: lower), archived))
    },
    "ClosedRange": { reader, archived in
      let lower = try reader.operand(archived, "lower")
      func open<Value: Comparable>(_ type: Value.Type) throws -> Node {
        try Nodes.ClosedRange(
          lower: reader.decoded(lower, as: type), upper: reader.operand(archived, "upper", as: type))
      }
      return try open(reader.requirement((any Comparable.Type).self, output(of: lower), archived))
    },
    "RangeExpressionContains": { reader, archived in
      let range = try reader.operand(archived, "range")
      func open<Bounds: RangeExpression>(_ type: Bounds.Type) throws -> Node {
        try Nodes.RangeExpressionContains(
          range: reader.decoded(range, as: type), element: reader.operand(archived, "element", as: Bounds.Bound.self))
      }
      return try open(reader.requirement((any RangeExpression.Type).self, output(of: range), archived))
    },
  ]
}
