internal import Foundation

extension DecimalText {
  /// The order of two texts as numbers: negative, zero or positive. Texts that are no numbers come last.
  package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    if let left = Digits(left), let right = Digits(right) { return Digits.compare(left, right) }
    return slowCompare(left, right)
  }

  private static func slowCompare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    switch (decimal(left), decimal(right)) {
    case (let left?, let right?): left == right ? 0 : left < right ? -1 : 1
    case (.some, nil): -1
    case (nil, .some): 1
    case (nil, nil): left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
  }

  /// A number of no more digits than a `Decimal` holds exactly, written without an exponent, as it lies in memory.
  private struct Digits {
    let isNegative: Bool
    /// Without leading zeros.
    let whole: Slice<UnsafeRawBufferPointer>
    /// Without trailing zeros.
    let fraction: Slice<UnsafeRawBufferPointer>

    init?(_ text: UnsafeRawBufferPointer) {
      var start = 0
      var hasMinus = false
      if let first = text.first, first == UInt8(ascii: "-") {
        hasMinus = true
        start = 1
      }
      var point = text.count
      for index in start..<max(start, text.count) {
        let byte = text[index]
        if byte &- UInt8(ascii: "0") < 10 { continue }
        guard byte == UInt8(ascii: "."), point == text.count else { return nil }
        point = index
      }
      var end = text.count
      guard end - start > (point == end ? 0 : 1) else { return nil }
      while start < point, text[start] == UInt8(ascii: "0") { start += 1 }
      while end > point + 1, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
      let whole = text[start..<point]
      let fraction = point < end ? text[(point + 1)..<end] : text[end..<end]
      guard whole.count + fraction.count <= 38 else { return nil }
      self.whole = whole
      self.fraction = fraction
      isNegative = hasMinus && !(whole.isEmpty && fraction.isEmpty)
    }

    static func compare(_ left: Digits, _ right: Digits) -> Int32 {
      guard left.isNegative == right.isNegative else { return left.isNegative ? -1 : 1 }
      let order = compareMagnitudes(left, right)
      return left.isNegative ? -order : order
    }

    private static func compareMagnitudes(_ left: Digits, _ right: Digits) -> Int32 {
      guard left.whole.count == right.whole.count else { return left.whole.count < right.whole.count ? -1 : 1 }
      for (one, other) in zip(left.whole, right.whole) where one != other { return one < other ? -1 : 1 }
      for (one, other) in zip(left.fraction, right.fraction) where one != other { return one < other ? -1 : 1 }
      let lengths = (left.fraction.count, right.fraction.count)
      return lengths.0 == lengths.1 ? 0 : lengths.0 < lengths.1 ? -1 : 1
    }
  }
}
