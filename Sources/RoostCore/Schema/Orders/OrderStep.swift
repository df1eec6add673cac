/// A type of which a value stands for another type's, in an order that that type itself does not have.
protocol OrderStep {
  /// What is put in order.
  static var ordered: Any.Type { get }
  /// The order of texts, for those.
  static var textOrder: (any TextOrder.Type)? { get }
  /// What the value stands for.
  var original: Any { get }
}

extension OrderedText: OrderStep {
  static var ordered: Any.Type { String.self }
  static var textOrder: (any TextOrder.Type)? { Order.self }
  var original: Any { text }
}

extension Optional: OrderStep where Wrapped: OrderStep {
  static var ordered: Any.Type { Wrapped.ordered }
  static var textOrder: (any TextOrder.Type)? { Wrapped.textOrder }
  var original: Any { map(\.original) as Any }
}

extension AnyKeyPath {
  private var step: (any OrderStep.Type)? { Swift.type(of: self).valueType as? any OrderStep.Type }

  package var textOrder: (any TextOrder.Type)? { step?.textOrder }

  /// The type that is put in order, where the path ends with a step to another order; nil elsewhere.
  var orderedType: Any.Type? { step?.ordered }

  /// The key paths to a value's place in each order that its type itself does not have.
  package var inOtherOrders: [AnyKeyPath] {
    let steps: [AnyKeyPath] = [
      \String.inLocalizedOrder, \String.inLocalizedStandardOrder, \String?.inLocalizedOrder,
      \String?.inLocalizedStandardOrder, \Bool.inOrder, \Bool?.inOrder,
    ]
    return steps.compactMap { appending(path: $0) }
  }
}
