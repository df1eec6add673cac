internal import RoostSQL

/// Swift's strings in SQL: equal when canonically equivalent, made of `Character`s.
enum SwiftStrings {
  /// `sql = text`, with SQLite's own equality, and so an index, where that is the same.
  static func equal(_ sql: SQLExpression, _ text: String) -> SQLExpression {
    guard let spellings = spellings(of: text) else { return .binary(.equal, .collate(sql, .unicode), .text(text)) }
    if spellings.count == 1 { return .binary(.equal, sql, .text(text)) }
    return .inList(sql, spellings.map { .text($0) })
  }

  /// All strings equal to an ASCII string, if they are few; nil for others.
  ///
  /// Three ASCII characters have a second spelling each, to which Unicode's canonical decomposition leads back.
  static func spellings(of text: String) -> [String]? {
    if hasOneSpelling(text) { return [text] }
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var spellings = [""]
    for scalar in text.unicodeScalars {
      var variants = [scalar]
      if let other = otherSpelling(of: scalar) { variants.append(other) }
      spellings = variants.flatMap { variant in
        spellings.map { spelling in
          var longer = spelling
          longer.unicodeScalars.append(variant)
          return longer
        }
      }
      if spellings.count > 8 { return nil }
    }
    return spellings
  }

  /// Whether all strings equal to the text have its very bytes.
  static func hasOneSpelling(_ text: String) -> Bool {
    // Where it lies: a string's own bytes come one by one.
    text.utf8.withContiguousStorageIfAvailable(areOneSpelling) ?? areOneSpelling(text.utf8)
  }

  private static func areOneSpelling(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "K") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "`") }
  }

  static func otherSpelling(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "K": "\u{212A}"  // KELVIN SIGN
    case ";": "\u{37E}"  // GREEK QUESTION MARK
    case "`": "\u{1FEF}"  // GREEK VARIA
    default: nil
    }
  }

  /// `string.hasPrefix(prefix)`, with a range in front that can use an index.
  static func hasPrefix(_ function: SQLFunction, _ sql: SQLExpression, _ prefix: SQLExpression) -> SQLExpression {
    let call = SQLExpression.function(function, [sql, prefix])
    guard case .text(let text) = prefix.constant, let bounds = bounds(ofPrefix: text) else { return call }
    return .conjunction([
      .binary(.greaterOrEqual, sql, .text(bounds.lower)), .binary(.less, sql, .text(bounds.upper)), call,
    ])
  }

  /// The bytewise bounds of all strings with that prefix: such strings begin with these very bytes, because a
  /// `Character` of ASCII has one spelling but for the three above, and CR may be half of a `Character`.
  private static func bounds(ofPrefix text: String) -> (lower: String, upper: String)? {
    guard let last = text.unicodeScalars.last, last.value < 0x7F else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value < 0x80 && $0.value >= 0x20 && otherSpelling(of: $0) == nil
    }
    guard isPlain, let next = Unicode.Scalar(last.value + 1) else { return nil }
    var upper = text
    upper.unicodeScalars.removeLast()
    upper.unicodeScalars.append(next)
    return (text, upper)
  }
}
