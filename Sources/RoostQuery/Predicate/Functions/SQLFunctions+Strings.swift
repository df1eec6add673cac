internal import Foundation
internal import RoostEngine

func addStringFunctions(to connection: Connection) {
  addTest("roost_contains", to: connection, fast: StringTests.fastContains) { $0.containsCharacters(of: $1) }
  addTest("roost_starts_with", to: connection, fast: StringTests.fastHasPrefix) { $0.starts(with: $1) }
  addTest("roost_has_prefix", to: connection, fast: StringTests.fastHasPrefix) { $0.hasPrefix($1) }
  addTest("roost_has_suffix", to: connection, fast: StringTests.fastHasSuffix) { $0.hasSuffix($1) }
  addTest("roost_standard_contains", to: connection, fast: StringTests.fastStandardContains()) {
    $0.localizedStandardContains($1)
  }
  addStrictFunction("roost_less", arguments: 2, to: connection) { values in
    .integer(values.withText(0) { left in values.withText(1) { UnicodeText.isLess(left, $0) } } ? 1 : 0)
  }
  addStrictFunction("roost_count", arguments: 1, to: connection) { values in
    let fast = values.withText(0) { UnicodeText.isPlain($0) ? $0.count : nil }
    return .integer(Int64(fast ?? values.string(0).count))
  }
  addStrictFunction("roost_localized_compare", arguments: 2, to: connection) { values in
    .integer(Int64(values.string(0).localizedCompare(values.string(1)).rawValue))
  }
  addStrictFunction("roost_case_insensitive_compare", arguments: 2, to: connection) { values in
    let areEqual = values.withText(0) { left in
      values.withText(1) { StringTests.areEqualIgnoringCase(left, $0) }
    }
    if areEqual { return .integer(0) }
    return .integer(Int64(values.string(0).caseInsensitiveCompare(values.string(1)).rawValue))
  }
}

/// Adds a test of two strings. `fast` answers from their bytes, or nil when it cannot.
private func addTest(
  _ name: String, to connection: Connection,
  fast: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool?,
  slow: @escaping @Sendable (String, String) -> Bool
) {
  addStrictFunction(name, arguments: 2, to: connection) { values in
    let answer = values.withText(0) { text in values.withText(1) { fast(text, $0) } }
    return .integer(answer ?? slow(values.string(0), values.string(1)) ? 1 : 0)
  }
}

extension Collection where Element: Equatable {
  /// What a predicate's `contains` calls: that of `Collection`, element by element, not Foundation's of strings.
  fileprivate func containsCharacters<Other: Collection>(of other: Other) -> Bool where Other.Element == Element {
    contains(other)
  }
}
