import RoostCore
import RoostEngine
import RoostSQL

/// Triggers, views and indexes that other programs made: SQLite drops them with their tables.
struct ForeignObjects {
  private struct Item {
    let kind: SQLDrop.Kind
    let name: String
    let sql: String
  }

  private var items: [Item] = []
  /// The names of the indexes that Roost made.
  private var own: Set<String> = []

  init(_ connection: Connection) throws {
    own = Set(try ownIndexes(connection).keys)
    let statement = try connection.statement(
      """
      SELECT type, name, sql FROM sqlite_schema \
      WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL ORDER BY rowid
      """)
    defer { statement.reset() }
    while try statement.step() {
      guard let kind = SQLDrop.Kind(rawValue: statement.string(0).uppercased()) else { continue }
      let item = Item(kind: kind, name: statement.string(1), sql: statement.string(2))
      // Roost's full-text indexes and their triggers are made anew.
      if own.contains(item.name) || item.name.hasPrefix("_roost_") { continue }
      items.append(item)
    }
  }

  /// The indexes with names as Roost gives them, by name, with their SQL; those of tables renamed since, too.
  func ownIndexes(_ connection: Connection) throws -> [String: String] {
    let statement = try connection.statement(
      "SELECT name, sql, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    defer { statement.reset() }
    var indexes: [String: String] = [:]
    while try statement.step() {
      let (name, table) = (statement.string(0), statement.string(2))
      let isOwn = name.hasPrefix(table + "_") && (name.hasSuffix("_index") || name.hasSuffix("_unique"))
      if isOwn || own.contains(name) { indexes[name] = statement.string(1) }
    }
    return indexes
  }

  func drop(_ connection: Connection) throws {
    for item in items.reversed() {
      try connection.execute(SQLitePrinter.print(.drop(SQLDrop(item.kind, item.name, ifExists: true))).sql)
    }
  }

  /// Makes them again.
  ///
  /// - Throws: `SwiftDataError.loadIssueModelContainer` when one names what is not there any more.
  func restore(_ connection: Connection) throws {
    for item in items {
      do {
        try connection.execute(item.sql)
        // Only its use shows whether a view is whole.
        if item.kind == .view { _ = try connection.statement("SELECT * FROM \(quotedIdentifier(item.name)) LIMIT 0") }
      } catch {
        throw SwiftDataError(
          .loadIssueModelContainer,
          "The \(item.kind.rawValue.lowercased()) \"\(item.name)\", which another program made, does not fit the new tables.",
          remedy: "Drop it before the migration, and make it again afterwards: \(item.sql)", underlying: error)
      }
    }
  }
}
