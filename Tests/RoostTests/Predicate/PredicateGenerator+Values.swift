import Foundation
import Roost

/// Nodes that are values of a type.
extension PredicateGenerator {
  func scalar<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Value> {
    if depth > 0 {
      switch random.below(9) {
      case 0:
        return coalesce(optional(type, subject, depth - 1), scalar(type, subject, depth - 1))
      case 1:
        return conditional(
          condition(subject, 0), scalar(type, subject, depth - 1), scalar(type, subject, depth - 1))
      case 2 where mayFail: return unwrapped(optional(type, subject, depth - 1))
      case 4: return forced(scalar(type, subject, depth - 1), to: type)
      case 3:
        if let node = computed(subject, depth) as? Node<Value> { return node }
      default: break
      }
    }
    if random.once(in: 4) { return PredicateExpressions.Value(Value.sample(&random)) }
    return anyProperty(type, subject)
  }

  private func anyProperty<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>) -> Node<Value> {
    let packed: Node<Packed> = property(subject, \Subject.packed)
    if !Value.innerFields.isEmpty, random.once(in: 6) {
      return property(property(packed, \Packed.inner), random.pick(Value.innerFields))
    }
    if !Value.fields.isEmpty, random.once(in: 3) { return property(packed, random.pick(Value.fields)) }
    return property(subject, random.pick(Value.properties))
  }

  /// An optional field of a composite attribute, or one of an optional composite attribute.
  private func field<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>) -> Node<Value?>? {
    let optional: Node<Packed?> = property(subject, \Subject.maybePacked)
    switch random.below(3) {
    case 0 where !Value.maybeFields.isEmpty:
      return property(property(subject, \Subject.packed), random.pick(Value.maybeFields))
    case 1 where !Value.maybeFields.isEmpty:
      return flatMap(optional) { self.property($0, self.random.pick(Value.maybeFields)) }
    case 2 where !Value.fields.isEmpty:
      return flatMap(optional) { self.promotion(self.property($0, self.random.pick(Value.fields))) }
    default: return nil
    }
  }

  func optional<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Value?> {
    let some = { self.promotion(self.scalar(type, subject, depth - 1)) }
    switch random.below(depth > 0 ? 12 : 4) {
    case 10: return casted(scalar(type, subject, depth - 1), to: type)
    case 11: return found(optional(String.self, subject, 0), type)
    case 0: return PredicateExpressions.NilLiteral<Value>()
    case 1: return PredicateExpressions.Value(Value?.sample(&random))
    case 2: return promotion(anyProperty(type, subject))
    case 3 where random.once(in: 2): return field(type, subject) ?? some()
    case 4:
      return conditional(condition(subject, 0), optional(type, subject, depth - 1), optional(type, subject, depth - 1))
    case 5: return coalesceOptionals(optional(type, subject, depth - 1), optional(type, subject, depth - 1))
    case 6:
      return flatMap(optional(type, subject, depth - 1)) { inner in
        self.conditional(self.equal(inner, self.scalar(type, subject, 0)), self.promotion(inner), some())
      }
    case 7: return flatMap(optional(type, subject, depth - 1)) { self.promotion($0) }
    case 8: return related(type, subject, depth) ?? some()
    default:
      guard let keyPath = Value.maybeProperties.isEmpty ? nil : random.pick(Value.maybeProperties) else {
        return promotion(property(subject, random.pick(Value.properties)))
      }
      return property(subject, keyPath)
    }
  }

  /// A property of a to-one relationship, by an optional chain.
  private func related<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Value?>? {
    let owner: Node<Owner?> = property(subject, \Subject.owner)
    switch type {
    case is String.Type where random.once(in: 2):
      return flatMap(owner) { self.property($0, \Owner.nickname) } as? Node<Value?>
    case is String.Type: return flatMap(owner) { self.promotion(self.property($0, \Owner.name)) } as? Node<Value?>
    case is Int.Type where random.once(in: 2):
      return flatMap(owner) { self.promotion(self.property($0, \Owner.rank)) } as? Node<Value?>
    case is Int.Type:
      let count = flatMap(owner) { self.promotion(self.property(self.property($0, \Owner.subjects), \.count)) }
      return count as? Node<Value?>
    default: return nil
    }
  }

  /// A comparison of a value that is computed.
  func aboutComputed(_ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    switch computed(subject, depth) {
    case let node as Node<Int>: compare(node, scalar(Int.self, subject, depth - 1))
    case let node as Node<Double>: compare(node, scalar(Double.self, subject, depth - 1))
    case let node as Node<Float>: equal(node, scalar(Float.self, subject, depth - 1))
    case let node as Node<Decimal>: compare(node, scalar(Decimal.self, subject, depth - 1))
    case let node as Node<String>: equal(node, scalar(String.self, subject, depth - 1))
    default: leaf(subject)
    }
  }

  /// A value that is computed.
  private func computed(_ subject: Node<Subject>, _ depth: Int) -> Any {
    switch random.below(14) {
    case 8: return property(property(subject, \Subject.data), \.count)
    case 9: return property(property(subject, \Subject.date), \.timeIntervalSinceReferenceDate)
    case 10: return property(property(subject, \Subject.level), \.title)
    case 11: return property(property(subject, \Subject.kind), \.rawValue)
    case 12: return evaluatedExpression(subject, depth)
    case 13: return extreme(subject)
    case 0: return property(scalar(String.self, subject, depth - 1), \.count)
    case 1: return property(property(subject, \Subject.words), \.count)
    case 2: return arithmetic(property(subject, \Subject.small), PredicateExpressions.Value(random.below(9) - 4))
    case 3: return division(property(subject, \Subject.small), PredicateExpressions.Value(random.pick([1, 2, -3])))
    case 4: return arithmetic(property(subject, \Subject.double), scalar(Double.self, subject, depth - 1))
    case 5: return quotient(scalar(Double.self, subject, depth - 1), scalar(Double.self, subject, depth - 1))
    case 6: return arithmetic(property(subject, \Subject.float), scalar(Float.self, subject, depth - 1))
    // Foundation traps on products of the smallest numbers.
    default:
      return arithmetic(property(subject, \Subject.decimal), PredicateExpressions.Value(Decimal(random.below(9) - 4)))
    }
  }

  private func arithmetic<Value: Numeric>(
    _ left: some StandardPredicateExpression<Value>, _ right: some StandardPredicateExpression<Value>
  ) -> Node<Value> {
    PredicateExpressions.Arithmetic(lhs: left, rhs: right, op: random.pick([.add, .subtract, .multiply]))
  }

  private func division(
    _ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>
  ) -> Node<Int> {
    random.once(in: 2)
      ? PredicateExpressions.IntDivision(lhs: left, rhs: right)
      : PredicateExpressions.UnaryMinus(PredicateExpressions.IntRemainder(lhs: left, rhs: right))
  }

  private func quotient(
    _ left: some StandardPredicateExpression<Double>, _ right: some StandardPredicateExpression<Double>
  ) -> Node<Double> { PredicateExpressions.FloatDivision(lhs: left, rhs: PredicateExpressions.UnaryMinus(right)) }
}
