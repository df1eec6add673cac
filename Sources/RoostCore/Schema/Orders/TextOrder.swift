package import Foundation
package import RoostSQL

/// An order of strings in the user's language, the same in memory and in SQL.
package protocol TextOrder: Sendable {
  static var collation: SQLCollation { get }
  static func foundationCompare(_ left: String, _ right: String) -> ComparisonResult
  /// The same for texts that it can be told of without Foundation; nil for others.
  static func plainCompare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32?
}

package enum LocalizedOrder: TextOrder {
  package static let collation = SQLCollation("roost_localized")

  package static func foundationCompare(_ left: String, _ right: String) -> ComparisonResult {
    left.localizedCompare(right)
  }
}

package enum LocalizedStandardOrder: TextOrder {
  package static let collation = SQLCollation("roost_localized_standard")

  package static func foundationCompare(_ left: String, _ right: String) -> ComparisonResult {
    left.localizedStandardCompare(right)
  }

  #if !canImport(Darwin)
    package static func plainCompare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32? {
      PlainTextOrder.compare(left, right)
    }
  #endif
}

extension TextOrder {
  package static func plainCompare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32? { nil }

  /// The comparison itself.
  ///
  /// Foundation contradicts itself for a few strings: each of them comes before the other. So it is always asked in
  /// one direction.
  static func compare(_ left: String, _ right: String) -> ComparisonResult {
    let plain = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable {
        plainCompare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0))
      }
    }
    if let plain = plain ?? nil, let plain {
      return plain < 0 ? .orderedAscending : plain == 0 ? .orderedSame : .orderedDescending
    }
    return slowCompare(left, right)
  }

  private static func slowCompare(_ left: String, _ right: String) -> ComparisonResult {
    guard right.utf8.lexicographicallyPrecedes(left.utf8) else { return foundationCompare(left, right) }
    return switch foundationCompare(right, left) {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }

  package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    if left.count == right.count, left.elementsEqual(right) { return 0 }
    if let plain = plainCompare(left, right) { return plain }
    return Int32(slowCompare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)).rawValue)
  }
}

/// A string whose own order is that of its user's language.
package struct OrderedText<Order: TextOrder>: Comparable, Sendable {
  let text: String

  package static func < (lhs: OrderedText, rhs: OrderedText) -> Bool {
    Order.compare(lhs.text, rhs.text) == .orderedAscending
  }
  package static func == (lhs: OrderedText, rhs: OrderedText) -> Bool {
    Order.compare(lhs.text, rhs.text) == .orderedSame
  }
}

extension String {
  package var inLocalizedOrder: OrderedText<LocalizedOrder> { OrderedText(text: self) }
  package var inLocalizedStandardOrder: OrderedText<LocalizedStandardOrder> { OrderedText(text: self) }
}

extension String? {
  package var inLocalizedOrder: OrderedText<LocalizedOrder>? { map { OrderedText(text: $0) } }
  package var inLocalizedStandardOrder: OrderedText<LocalizedStandardOrder>? { map { OrderedText(text: $0) } }
}
