import Foundation

extension SortDescriptor where Compared: PersistentModel {
  /// The order of strings that the descriptor asks for; nil for the values' own.
  ///
  /// - Throws: `SwiftDataError.unsupportedSortDescriptor` for a comparator that no collation is the same as.
  func textOrder() throws -> (any TextOrder.Type)? {
    if let order = keyPath?.textOrder { return order }
    guard let stringComparator else { return nil }
    // The descriptor's own direction is the one that counts.
    let comparator = String.StandardComparator(stringComparator, order: .forward)
    if comparator == .lexical { return nil }
    #if canImport(Darwin)
      if comparator == .localized { return LocalizedOrder.self }
      if comparator == .localizedStandard { return LocalizedStandardOrder.self }
    #endif
    throw SwiftDataError.unsupportedSortDescriptor(
      "SQL cannot compare strings as \(stringComparator) does: use .lexical, .localized or .localizedStandard.",
      model: "\(Compared.self)")
  }
}

/// `OrderedText`, optional or not.
private protocol OrderedTextType {
  static var order: any TextOrder.Type { get }
}

extension OrderedText: OrderedTextType {
  fileprivate static var order: any TextOrder.Type { Order.self }
}

extension Optional: OrderedTextType where Wrapped: OrderedTextType {
  fileprivate static var order: any TextOrder.Type { Wrapped.order }
}

extension AnyKeyPath {
  fileprivate var textOrder: (any TextOrder.Type)? {
    (Swift.type(of: self).valueType as? any OrderedTextType.Type)?.order
  }

  /// Whether the path ends with a step to another order.
  var isInTextOrder: Bool { textOrder != nil }

  /// The key paths to a string's value in each other order, where this one leads to a string.
  var inTextOrders: [AnyKeyPath] {
    let steps: [AnyKeyPath] = [
      \String.inLocalizedOrder, \String.inLocalizedStandardOrder, \String?.inLocalizedOrder,
      \String?.inLocalizedStandardOrder,
    ]
    return steps.compactMap { appending(path: $0) }
  }
}
