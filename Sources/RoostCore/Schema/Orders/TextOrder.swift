import Foundation
import RoostSQL

/// An order of strings in the user's language, the same in memory and in SQL.
protocol TextOrder: Sendable {
  static var collation: SQLCollation { get }
  static func foundationCompare(_ left: String, _ right: String) -> ComparisonResult
}

enum LocalizedOrder: TextOrder {
  static let collation = SQLCollation("roost_localized")

  static func foundationCompare(_ left: String, _ right: String) -> ComparisonResult { left.localizedCompare(right) }
}

enum LocalizedStandardOrder: TextOrder {
  static let collation = SQLCollation("roost_localized_standard")

  static func foundationCompare(_ left: String, _ right: String) -> ComparisonResult {
    left.localizedStandardCompare(right)
  }
}

extension TextOrder {
  /// The comparison itself.
  ///
  /// Foundation contradicts itself for a few strings: each of them comes before the other. So it is always asked in
  /// one direction.
  static func compare(_ left: String, _ right: String) -> ComparisonResult {
    guard right.utf8.lexicographicallyPrecedes(left.utf8) else { return foundationCompare(left, right) }
    return switch foundationCompare(right, left) {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }

  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    if left.count == right.count, left.elementsEqual(right) { return 0 }
    return Int32(compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)).rawValue)
  }
}

/// A string whose own order is that of its user's language.
struct OrderedText<Order: TextOrder>: Comparable, Sendable {
  let text: String

  static func < (lhs: OrderedText, rhs: OrderedText) -> Bool { Order.compare(lhs.text, rhs.text) == .orderedAscending }
  static func == (lhs: OrderedText, rhs: OrderedText) -> Bool { Order.compare(lhs.text, rhs.text) == .orderedSame }
}

extension String {
  var inLocalizedOrder: OrderedText<LocalizedOrder> { OrderedText(text: self) }
  var inLocalizedStandardOrder: OrderedText<LocalizedStandardOrder> { OrderedText(text: self) }
}

extension String? {
  var inLocalizedOrder: OrderedText<LocalizedOrder>? { map { OrderedText(text: $0) } }
  var inLocalizedStandardOrder: OrderedText<LocalizedStandardOrder>? { map { OrderedText(text: $0) } }
}
