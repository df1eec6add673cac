/// Strings as UTF-8 in memory, compared as Swift compares its strings: by canonical equivalence.
enum UnicodeText {
  /// Negative, zero or positive: the order of `String`, made total.
  ///
  /// Swift 6.3 orders two strings of which one begins with the other by their lengths in bytes, spelled as they are:
  /// of K and Ka neither is less when K is spelled KELVIN SIGN. No order that sorts can agree with that.
  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    if let order = fastCompare(left, right) { return order }
    if left.count == right.count, left.elementsEqual(right) { return 0 }
    let one = String(decoding: left, as: UTF8.self)
    let other = String(decoding: right, as: UTF8.self)
    if one == other { return 0 }
    // With an end that is less than any other character neither begins with the other.
    return one + "\0" < other + "\0" ? -1 : 1
  }

  /// `<` of `String` to the letter, for conditions.
  static func isLess(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    if let order = fastCompare(left, right) { return order < 0 }
    return String(decoding: left, as: UTF8.self) < String(decoding: right, as: UTF8.self)
  }

  /// The order, where ASCII decides; nil where it does not.
  private static func fastCompare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32? {
    let shared = min(left.count, right.count)
    var index = 0
    while index < shared, left[index] == right[index], left[index] < 0x80 { index += 1 }
    // ASCII characters that nothing follows which could combine with them compare as their bytes.
    guard isASCII(left, index), isASCII(right, index), isASCII(left, index + 1), isASCII(right, index + 1)
    else { return nil }
    if index < shared { return left[index] < right[index] ? -1 : 1 }
    return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
  }

  /// Whether there is no byte beyond ASCII at a place. The end counts as ASCII.
  private static func isASCII(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    index >= text.count || text[index] < 0x80
  }

  /// Whether each byte is a `Character` of its own, with one spelling.
  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    text.allSatisfy { $0 < 0x80 && $0 != 0x0D }
  }

  /// Whether a plain text has no character that another spelling exists of.
  static func hasOneSpelling(_ text: UnsafeRawBufferPointer) -> Bool {
    text.allSatisfy { $0 < 0x80 && $0 != 0x0D && $0 != 0x4B && $0 != 0x3B && $0 != 0x60 }
  }

  /// Whether the bytes of one text are somewhere in the other.
  static func containsBytes(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    for start in 0...(text.count - part.count) where text[start] == first {
      if text[start..<(start + part.count)].elementsEqual(part) { return true }
    }
    return false
  }
}
