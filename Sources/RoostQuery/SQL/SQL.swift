import Foundation
import RoostCore
import RoostSQL

/// SQL that a program writes itself: what is interpolated is bound as a value, and never becomes syntax.
///
/// ```swift
/// let word = "O'Hara"
/// let notes = try context.fetch(
///   sql: "SELECT * FROM \(Note.self) WHERE \(\Note.title) = \(word) ORDER BY random() LIMIT 3", as: Note.self)
/// ```
/// - A value is bound in the form in which the store keeps it, as an attribute of its type would be; nil is `NULL`.
/// - A model and a ``PersistentIdentifier`` are bound as the key that relationships' columns and `_pk` have.
/// - An array or a set is a list for `IN`: `WHERE \(\Note.stars) IN \([1, 2, 3])`. `\(json: array)` is one value, the
///   JSON text that an attribute of that type has, and that `json_each` takes.
/// - A model type is its table, a key path its column: `\(\Note.title)` is `"title"`, `\(Note.self, \.title)` is
///   `"Note"."title"`, `\(\Note.persistentModelID)` is `"_pk"`.
/// - Another `SQL` is put in as it is, with its values.
///
/// Only a literal makes one, so no text that comes from elsewhere can become SQL.
/// Source: [SQLite's SQL](https://www.sqlite.org/lang.html).
public struct SQL: Sendable {
  enum Part: Sendable {
    case text(String)
    case value(SQLValue)
    /// A value that cannot be stored.
    case refused(any Error)
    case list([SQLValue])
    case identifier(PersistentIdentifier)
    case identifiers([PersistentIdentifier])
    case table(any PersistentModel.Type)
    case column(any PersistentModel.Type, KeyPathKey, isQualified: Bool)
  }

  let parts: [Part]
}

extension SQL: ExpressibleByStringInterpolation {
  /// Makes SQL of a literal without values.
  // Static, so that even a call takes no text that comes from elsewhere.
  public init(stringLiteral value: StaticString) { parts = [.text(value.description)] }

  /// Makes SQL of a literal with values.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
}

extension SQL: CustomStringConvertible {
  /// The text, with `?` for what is bound.
  public var description: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value, .refused, .identifier: "?"
      case .list, .identifiers: "(?, …)"
      case .table(let type): "\(type)"
      case .column(_, let key, _): "\(key.keyPath)"
      }
    }.joined()
  }
}
