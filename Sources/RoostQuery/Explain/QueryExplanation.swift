import Foundation

/// What a fetch does: its SQL, how SQLite will run it, and which index would help.
///
/// ```swift
/// print(try context.explain(descriptor))
/// // SELECT "t0"."_pk", … FROM "Note" AS "t0" WHERE "t0"."stars" = ? ORDER BY …
/// //   arguments: 3
/// //   plan:
/// //     SCAN t0
/// //     USE TEMP B-TREE FOR ORDER BY
/// //   indexes: none
/// //   warning: All 12,000 rows of Note are read. #Index<Note>([\.stars, \.title]) would avoid that.
/// ```
/// Source: [SQLite, EXPLAIN QUERY PLAN](https://www.sqlite.org/eqp.html).
public struct QueryExplanation: Hashable, Sendable {
  /// A step of SQLite's plan, with those that it is made of.
  public struct Step: Hashable, Sendable {
    /// What is done, in SQLite's words.
    public let detail: String
    /// The steps it is made of.
    public internal(set) var steps: [Step] = []
  }

  /// The statement, with `?` for its arguments.
  public let sql: String
  /// What is bound to the statement, as SQL writes it.
  public let arguments: [String]
  /// What SQLite does, in its order.
  public let plan: [Step]
  /// The names of the indexes used, without repetitions.
  public internal(set) var indexes: [String]
  /// What makes the query slow, with what to do about it.
  public internal(set) var warnings: [String]

  /// The statement with its arguments in place, to be read or pasted into the sqlite3 shell.
  public var sqlWithArguments: String { sqlText(sql, arguments) }

  /// All steps, each before those it is made of.
  var steps: [Step] { plan.flatMap(\.selfAndInner) }
}

extension QueryExplanation: CustomStringConvertible {
  /// Everything, a line each.
  public var description: String {
    var lines = [sql]
    if !arguments.isEmpty { lines.append("  arguments: " + arguments.joined(separator: ", ")) }
    lines.append("  plan:")
    lines += plan.flatMap { $0.lines(indent: 4) }
    lines.append("  indexes: " + (indexes.isEmpty ? "none" : indexes.joined(separator: ", ")))
    lines += warnings.map { "  warning: " + $0 }
    return lines.joined(separator: "\n")
  }
}

extension QueryExplanation.Step {
  fileprivate var selfAndInner: [Self] { [self] + steps.flatMap(\.selfAndInner) }

  fileprivate func lines(indent: Int) -> [String] {
    [String(repeating: " ", count: indent) + detail] + steps.flatMap { $0.lines(indent: indent + 2) }
  }

  /// The index that the step uses; nil when it uses none, or only the primary key.
  var index: String? {
    // Of virtual tables SQLite tells the plan; that of FTS5 has an M where it looks for a text.
    if let range = detail.range(of: " VIRTUAL TABLE INDEX ") {
      return detail[range.upperBound...].contains("M") ? detail.dropFirst(5).prefix { $0 != " " }.description : nil
    }
    guard let range = detail.range(of: "INDEX "), !detail.contains("AUTOMATIC") else { return nil }
    return detail[range.upperBound...].components(separatedBy: " (").first
  }

  /// The table, or its alias, whose rows the step reads all, without an index that would leave some out.
  var scanned: String? {
    guard detail.hasPrefix("SCAN "), !detail.contains(" VIRTUAL TABLE INDEX ") else { return nil }
    return detail.dropFirst(5).split(separator: " ").first.map(String.init)
  }
}

/// SQL with values in the places of its parameters: those outside of quotes.
func sqlText(_ sql: String, _ arguments: [String]) -> String {
  var (text, quote, next) = ("", nil as Character?, arguments.makeIterator())
  for character in sql {
    if character == quote {
      quote = nil
    } else if quote == nil, character == "'" || character == "\"" {
      quote = character
    } else if quote == nil, character == "?", let argument = next.next() {
      text += argument
      continue
    }
    text.append(character)
  }
  return text
}
