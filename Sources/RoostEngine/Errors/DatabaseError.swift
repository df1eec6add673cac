/// What SQLite reported, with the statement that caused it.
package struct DatabaseError: Error, Sendable, Hashable {
  /// The extended result code, such as 2067 for a violated `UNIQUE` constraint.
  package let code: Int32

  /// The text SQLite gave, or this engine's own where it refused before asking SQLite.
  package let message: String

  /// The statement that failed, if there was one.
  package let sql: String?

  /// The bound values, kept only if the connection's options ask for them: they may be private.
  package let arguments: [DatabaseValue]?

  /// Makes an error.
  package init(code: Int32, message: String, sql: String? = nil, arguments: [DatabaseValue]? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
    self.arguments = arguments
  }

  /// The result code without its extension, such as 19 for any violated constraint.
  package var primaryCode: Int32 { code & 0xff }

  /// Whether rows take each other along that are more than SQLite follows, 1,000 unless
  /// it was built with another limit.
  package var isOfTooManyCascades: Bool { message.contains("too many levels of trigger recursion") }
}

extension DatabaseError: CustomStringConvertible {
  /// The code, the message, the statement, and the arguments if they were kept.
  package var description: String {
    var text = "SQLite error \(code): \(message)"
    if let sql { text += " - while executing `\(sql)`" }
    if let arguments { text += " with arguments [\(arguments.map(\.description).joined(separator: ", "))]" }
    return text
  }
}
