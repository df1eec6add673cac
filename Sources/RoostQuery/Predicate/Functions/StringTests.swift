internal import Foundation

/// Answers to questions about strings from their UTF-8 alone, where that is certain: nil where it is not.
enum StringTests {
  typealias Bytes = UnsafeRawBufferPointer

  static func fastContains(_ text: Bytes, _ part: Bytes) -> Bool? {
    if UnicodeText.isPlain(text) { return UnicodeText.isPlain(part) ? UnicodeText.containsBytes(text, part) : nil }
    // A plain part lies in any text as these bytes, if at all.
    return UnicodeText.hasOneSpelling(part) && !UnicodeText.containsBytes(text, part) ? false : nil
  }

  static func fastHasPrefix(_ text: Bytes, _ part: Bytes) -> Bool? {
    guard UnicodeText.hasOneSpelling(part) else { return nil }
    guard text.count >= part.count, text.prefix(part.count).elementsEqual(part) else { return false }
    // What follows may combine with the last character.
    return text.count == part.count || (text[part.count] < 0x80 && text[part.count] != 0x0D) ? true : nil
  }

  static func fastHasSuffix(_ text: Bytes, _ part: Bytes) -> Bool? {
    guard UnicodeText.hasOneSpelling(part) else { return nil }
    guard text.count >= part.count, text.suffix(part.count).elementsEqual(part) else { return false }
    // What stands before may combine with the first character: CR with LF, or a character beyond ASCII.
    let before = text.count - part.count - 1
    return before < 0 || (text[before] < 0x80 && text[before] != 0x0D) ? true : nil
  }

  /// A test for where letters of the two cases are paired as in English.
  static func fastStandardContains() -> @Sendable (Bytes, Bytes) -> Bool? {
    let language = Locale.current.language.languageCode?.identifier ?? "en"
    let hasOwnCases = ["tr", "az", "lt"].contains(language)
    return { text, part in
      guard !hasOwnCases, !part.isEmpty, isPrintable(text), isPrintable(part) else { return nil }
      guard text.count >= part.count else { return false }
      return (0...(text.count - part.count)).contains { start in
        (0..<part.count).allSatisfy { lowercase(text[start + $0]) == lowercase(part[$0]) }
      }
    }
  }

  static func areEqualIgnoringCase(_ left: Bytes, _ right: Bytes) -> Bool {
    left.count == right.count && isPrintable(left) && isPrintable(right)
      && zip(left, right).allSatisfy { lowercase($0) == lowercase($1) }
  }

  /// Whether a text is printable ASCII, with the tabs and ends of lines that any longer text
  /// has. CR would combine with LF.
  private static func isPrintable(_ text: Bytes) -> Bool {
    text.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A || $0 == 0x09 }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
