import RoostCore
import RoostEngine
import RoostSQL

// The full-text indexes of a file follow the program's declarations when it is opened, as no row changes for it.
extension StoreSetup {
  /// What must be done for the file to have the indexes that the program declares, and no others.
  struct FullTextChanges {
    /// The names of indexes that the program does not declare any more.
    var dropped: [String] = []
    /// Those that are missing, in part or declared otherwise.
    var made: [FullTextIndex] = []

    var isEmpty: Bool { dropped.isEmpty && made.isEmpty }
  }

  /// What must be done; `stored` is what the file says of its indexes.
  static func fullTextChanges(
    _ connection: Connection, _ schema: SchemaInfo, stored: [FullTextDefinition]
  ) throws -> FullTextChanges {
    let declared = schema.fullTextIndexes
    guard !declared.isEmpty || !stored.isEmpty else { return FullTextChanges() }
    var present: [String: String] = [:]
    let statement = try connection.statement("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    defer { statement.reset() }
    while try statement.step() { present[statement.string(0)] = statement.string(1) }
    let names = Set(declared.map(\.name))
    let made = declared.filter { index in objects(of: index).contains { present[$0.name] != $0.sql } }
    if let index = declared.first(where: { !made.contains($0) }) {
      // Throws if the library cannot open it.
      _ = try connection.statement(SQLitePrinter.print(SQLSelect(from: .table(index.name), limit: 0)).sql)
    }
    return FullTextChanges(dropped: stored.map(\.name).filter { !names.contains($0) }, made: made)
  }

  static func apply(_ changes: FullTextChanges, _ connection: Connection) throws {
    for name in changes.dropped { try drop(name, connection) }
    for index in changes.made {
      try drop(index.name, connection)
      try make(index, connection)
      try connection.execute(SQLitePrinter.rebuild(index.syntax()))
    }
  }

  static func make(_ index: FullTextIndex, _ connection: Connection) throws {
    for object in objects(of: index) { try connection.execute(object.sql) }
  }

  /// The error for a library without FTS5, which SQLite is built without by some; nil for any other error.
  static func lackOfFullText(_ error: DatabaseError, _ configuration: ModelConfiguration) -> SwiftDataError? {
    guard error.message.contains("no such module: fts5") else { return nil }
    return .loadIssue(
      "The models have full-text indexes, and the SQLite library of this program, \(Library.version), has no FTS5.",
      url: configuration.url, remedy: "Link an SQLite that was built with SQLITE_ENABLE_FTS5.", underlying: error)
  }

  /// What an index is made of in the file.
  private static func objects(of index: FullTextIndex) -> [(name: String, sql: String)] {
    let rows = index.tokenizer.findsParts ? index.columns.map(index.truncatedRows) : []
    return SQLitePrinter.print(index.syntax()) + rows.map { ($0.name, SQLitePrinter.print($0).sql) }
  }

  private static func drop(_ name: String, _ connection: Connection) throws {
    let parts = try connection.statement(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND instr(name, ?) = 1 AND substr(name, -4) = '_nul'")
    parts.bind(name + "_", at: 1)
    var drops: [SQLDrop] = []
    while try parts.step() { drops.append(SQLDrop(.index, parts.string(0))) }
    parts.reset()
    // Of the table and the columns only the name is known any more.
    let triggers = SQLFullTextIndex(name, on: "", key: "", columns: [], tokenizer: "").triggers
    drops += triggers.map { SQLDrop(.trigger, $0, ifExists: true) } + [SQLDrop(.table, name, ifExists: true)]
    for drop in drops { try connection.execute(SQLitePrinter.print(drop).sql) }
  }
}
