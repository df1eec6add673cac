/// A `Bool`, which has no order itself, where a sort descriptor asks for one.
package struct OrderedBool: Comparable, Sendable, OrderStep {
  let value: Bool

  static var ordered: Any.Type { Bool.self }
  static var textOrder: (any TextOrder.Type)? { nil }
  var original: Any { value }

  package static func < (lhs: OrderedBool, rhs: OrderedBool) -> Bool { !lhs.value && rhs.value }
}

extension Bool {
  package var inOrder: OrderedBool { OrderedBool(value: self) }
}

extension Bool? {
  package var inOrder: OrderedBool? { map { OrderedBool(value: $0) } }
}
