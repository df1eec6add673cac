internal import RoostSQL

/// The functions that `registerRoostFunctions(on:)` adds to a connection.
extension SQLFunction {
  static let base64 = SQLFunction("roost_base64")
  static let caseInsensitiveCompare = SQLFunction("roost_case_insensitive_compare")
  static let characterCount = SQLFunction("roost_count")
  static let contains = SQLFunction("roost_contains")
  static let calendarPart = SQLFunction("roost_calendar_part")
  static let containsRegex = SQLFunction("roost_contains_regex")
  static let decimalAdd = SQLFunction("roost_decimal_add")
  static let decimalAverage = SQLFunction("roost_decimal_average")
  static let decimalMultiply = SQLFunction("roost_decimal_multiply")
  static let decimalSubtract = SQLFunction("roost_decimal_subtract")
  static let decimalSum = SQLFunction("roost_decimal_sum")
  static let divideReal = SQLFunction("roost_divide")
  static let double = SQLFunction("roost_double")
  static let float = SQLFunction("roost_float")
  static let hasPrefix = SQLFunction("roost_has_prefix")
  static let hasSuffix = SQLFunction("roost_has_suffix")
  static let jsonArrayLength = SQLFunction("json_array_length")
  static let jsonContains = SQLFunction("roost_json_contains")
  static let jsonDouble = SQLFunction("roost_json_double")
  static let jsonEqual = SQLFunction("roost_json_equal")
  static let jsonFloat = SQLFunction("roost_json_float")
  static let jsonKeyCount = SQLFunction("roost_json_key_count")
  static let jsonKeysWithoutNUL = SQLFunction("roost_json_keys_without_nul")
  static let jsonString = SQLFunction("roost_json_string")
  static let jsonUnsigned = SQLFunction("roost_json_unsigned")
  static let less = SQLFunction("roost_less")
  static let replace = SQLFunction("replace")
  static let localizedCompare = SQLFunction("roost_localized_compare")
  static let standardContains = SQLFunction("roost_standard_contains")
  static let startsWith = SQLFunction("roost_starts_with")
  static let unhex = SQLFunction("roost_unhex")
  static let unsignedAdd = SQLFunction("roost_unsigned_add")
  static let unsignedDivide = SQLFunction("roost_unsigned_divide")
  static let unsignedDouble = SQLFunction("roost_unsigned_double")
  static let unsignedMaximum = SQLFunction("roost_unsigned_max")
  static let unsignedMinimum = SQLFunction("roost_unsigned_min")
  static let unsignedMultiply = SQLFunction("roost_unsigned_multiply")
  static let unsignedRemainder = SQLFunction("roost_unsigned_remainder")
  static let unsignedSum = SQLFunction("roost_unsigned_sum")
  static let unsignedSubtract = SQLFunction("roost_unsigned_subtract")
}

extension SQLCollation {
  /// Swift's order and equality of strings.
  static let unicode = SQLCollation("roost_unicode")
  /// The order of texts as numbers.
  static let decimal = SQLCollation("roost_decimal")
}
