#if !canImport(Darwin)
  import Foundation

  /// Compares texts of printable ASCII as `localizedStandardCompare(_:)` does, without asking it.
  ///
  /// It takes a microsecond a pair, ten times as long as this, and a sort has many pairs. Nothing about the order is
  /// written down here: Foundation is asked once for that of the characters, and whether the language orders texts by
  /// them alone.
  enum PlainTextOrder {
    /// Negative, 0 or positive; nil for texts that have anything else in them, or differ by leading zeros.
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32? {
      guard let ranks, left.allSatisfy(isPrintable), right.allSatisfy(isPrintable) else { return nil }
      return compare(left, right, ranks)
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func compare(
      _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ ranks: [UInt8]
    ) -> Int32? {
      var (place, other) = (0, 0)
      // Whether letters are small or capital counts where all else is the same.
      var byCase: Int32 = 0
      while place < left.count, other < right.count {
        let (byte, otherByte) = (left[place], right[other])
        if isDigit(byte), isDigit(otherByte) {
          let (number, otherNumber) = (Number(in: left, at: place), Number(in: right, at: other))
          if let difference = number.difference(from: otherNumber) { return difference }
          if number.range.count != otherNumber.range.count { return nil }
          (place, other) = (number.range.upperBound, otherNumber.range.upperBound)
          continue
        }
        let (rank, otherRank) = (ranks[Int(byte)], ranks[Int(otherByte)])
        if rank != otherRank { return rank < otherRank ? -1 : 1 }
        if byCase == 0, byte != otherByte { byCase = byte > otherByte ? -1 : 1 }
        (place, other) = (place + 1, other + 1)
      }
      let (rest, otherRest) = (left.count - place, right.count - other)
      return rest == otherRest ? byCase : rest < otherRest ? -1 : 1
    }

    /// Digits in a text.
    private struct Number {
      let range: Range<Int>
      /// Those behind the leading zeros.
      let digits: UnsafeRawBufferPointer.SubSequence

      init(in text: UnsafeRawBufferPointer, at start: Int) {
        let end = text[start...].firstIndex { !isDigit($0) } ?? text.endIndex
        range = start..<end
        digits = text[range].drop { $0 == 0x30 }
      }

      /// nil for numbers of the same value.
      func difference(from other: Number) -> Int32? {
        if digits.count != other.digits.count { return digits.count < other.digits.count ? -1 : 1 }
        if digits.elementsEqual(other.digits) { return nil }
        return digits.lexicographicallyPrecedes(other.digits) ? -1 : 1
      }
    }

    // MARK: - What Foundation says of the language

    /// The places of characters, a small letter's being its capital's; nil in a language that orders texts by more.
    private static let ranks: [UInt8]? = {
      let characters = (UInt8(0x20)..<0x7F).filter { !isCapital($0) }
      let sorted = characters.sorted { precedes(text($0), text($1)) }
      var ranks = [UInt8](repeating: 0, count: 0x80)
      for (rank, character) in sorted.enumerated() {
        ranks[Int(character)] = UInt8(rank)
        if isSmall(character) { ranks[Int(character - 0x20)] = UInt8(rank) }
      }
      // A difference of two characters counts before all that follows.
      let areApart = zip(sorted, sorted.dropFirst()).allSatisfy { lesser, greater in
        isDigit(lesser) && isDigit(greater) || precedes(text(lesser) + "z", text(greater) + "a")
      }
      let letters = sorted.filter(isSmall)
      let isEnglish = Locale.current.language.languageCode == .english
      return areApart && (isEnglish || letters.allSatisfy { !begins(pairWith: letters, $0, ranks) }) ? ranks : nil
    }()

    /// Whether a letter and another one are put in order as one, such as the Czech ch or the Danish aa.
    private static func begins(pairWith letters: [UInt8], _ letter: UInt8, _ ranks: [UInt8]) -> Bool {
      letters.contains { second in
        let pair = text(letter) + text(second)
        return ([pair.prefix(1) + "z"] + letters.map { text($0)[...] }).contains { other in
          let expected = pair.utf8.elementsEqual(other.utf8) ? 0 : order(pair, String(other), ranks)
          return expected != pair.localizedStandardCompare(String(other)).rawValue
        }
      }
    }

    private static func order(_ left: String, _ right: String, _ ranks: [UInt8]) -> Int {
      let compared = Array(left.utf8).withUnsafeBytes { left in
        Array(right.utf8).withUnsafeBytes { right in compare(left, right, ranks) }
      }
      return compared.map { Int($0) } ?? 0
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
      left.localizedStandardCompare(right) == .orderedAscending
    }

    private static func text(_ character: UInt8) -> String { String(decoding: [character], as: UTF8.self) }
    private static func isSmall(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
    private static func isCapital(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
  }
#endif
