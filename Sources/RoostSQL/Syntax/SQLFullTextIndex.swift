/// An FTS5 index of a table's columns, whose text stays in the table, and the triggers that keep it up to date.
///
/// Source: [SQLite, external content tables](https://www.sqlite.org/fts5.html#external_content_tables).
package struct SQLFullTextIndex: Hashable, Sendable {
  package var name: String
  package var table: String
  /// The table's integer key.
  package var key: String
  package var columns: [String]
  /// The tokenizer and its options, as FTS5 reads them.
  package var tokenizer: String
  /// Whether all is temporary, as the table then is.
  package var isTemporary: Bool

  package init(
    _ name: String, on table: String, key: String, columns: [String], tokenizer: String, isTemporary: Bool = false
  ) {
    self.name = name
    self.table = table
    self.key = key
    self.columns = columns
    self.tokenizer = tokenizer
    self.isTemporary = isTemporary
  }

  /// The names of the triggers on the table.
  package var triggers: [String] { Event.allCases.map { trigger($0) } }

  func trigger(_ event: Event) -> String { "\(name)_\(event.rawValue)" }

  /// What the index follows.
  enum Event: String, CaseIterable { case insert, delete, update }
}
