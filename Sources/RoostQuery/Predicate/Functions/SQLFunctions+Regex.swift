internal import Foundation
internal import RoostEngine
internal import Synchronization

func addRegexFunctions(to connection: Connection) {
  let patterns = RegexPatterns()
  addStrictFunction("roost_contains_regex", arguments: 2, to: connection) { values in
    .integer(values.string(0).contains(try patterns.regex(values.string(1)).regex) ? 1 : 0)
  }
}

/// The regular expressions used last: one is asked for in each row of a query.
private final class RegexPatterns: Sendable {
  private let recent = Mutex<[PredicateExpressions.PredicateRegex]>([])

  func regex(_ pattern: String) throws -> PredicateExpressions.PredicateRegex {
    if let known = recent.withLock({ $0.first { $0.stringRepresentation == pattern } }) { return known }
    guard let made = try PredicateExpressions.PredicateRegex(Regex(pattern)) else {
      throw DatabaseError(code: DatabaseError.misuse, message: "the pattern is no regular expression")
    }
    recent.withLock { $0 = [made] + $0.prefix(7) }
    return made
  }
}
