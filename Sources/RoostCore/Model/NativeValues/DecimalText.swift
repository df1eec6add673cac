package import Foundation

/// `Decimal` as digits, the form it has in a column: `-1234.5`.
package enum DecimalText {
  /// The one text of a number: no exponent, no superfluous zeros.
  package static func text(_ value: Decimal) -> String { value.description }

  /// The number that a text is wholly, or nil. Takes exponents and superfluous zeros, which others may have written.
  package static func decimal(_ text: some BidirectionalCollection<UInt8>) -> Decimal? {
    if text.elementsEqual("NaN".utf8) { return .nan }
    guard isNumber(text) else { return nil }
    return Decimal(string: String(decoding: text, as: UTF8.self), locale: nil)
  }

  private static func isNumber(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    var rest = text[...]
    rest.skipSign()
    let whole = rest.skipDigits()
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = rest.skipDigits()
    }
    guard whole + fraction > 0 else { return false }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      rest.skipSign()
      guard (1...3).contains(rest.skipDigits()) else { return false }
    }
    return rest.isEmpty
  }
}

extension Collection where Element == UInt8, SubSequence == Self {
  fileprivate mutating func skipSign() {
    if first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { removeFirst() }
  }

  /// Returns how many there were.
  @discardableResult
  fileprivate mutating func skipDigits() -> Int {
    let digits = prefix { $0 &- UInt8(ascii: "0") < 10 }
    self = self[digits.endIndex...]
    return digits.count
  }
}
