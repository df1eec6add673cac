import RoostCore
import RoostEngine

// What statements of programs' own may not do, because something of Roost's would not hold any more.
extension StatementFacts {
  /// Throws if the statement may not be run; `mayWrite` says whether it may change rows.
  func check(_ sql: String, _ schema: SchemaInfo, mayWrite: Bool) throws {
    for access in accesses { try check(access, sql, schema) }
    guard mayWrite || isReadOnly else {
      throw Self.refused(
        "writes", sql, remedy: "Run it with execute(sql:), or within ModelContainer.withDatabase(_:_:).")
    }
  }

  private func check(_ access: Access, _ sql: String, _ schema: SchemaInfo) throws {
    switch access {
    case .reads, .changesSchema: break
    case .writes(let table, let trigger):
      // History's own triggers may.
      if Self.isRoosts(table), !(trigger.map(Self.isRoosts) ?? false) {
        throw Self.refused("changes \"\(table)\"", sql, remedy: "Leave the tables alone that are Roost's own.")
      }
    case .redefines(let table):
      let isModels = schema.entities.contains { $0.table == table } || schema.joinTables.contains { $0.name == table }
      if isModels || Self.isRoosts(table) {
        throw Self.refused("redefines \"\(table)\"", sql, remedy: "Change the models instead: the table is theirs.")
      }
    case .changesTemporarySchema:
      throw Self.refused(
        "makes or drops something temporary", sql,
        remedy: "Use WITH: whatever runs on the connection next would see what is temporary.")
    case .controlsTransaction:
      throw Self.refused(
        "begins or ends a transaction", sql,
        remedy: "Run several statements in one transaction within ModelContainer.withDatabase(_:_:).")
    case .changesDatabases:
      throw Self.refused(
        "attaches or detaches a database", sql, remedy: "Open the other file with a container or a library.")
    case .pragma(let name, let argument):
      if argument != nil, !Self.readingPragmas.contains(name.lowercased()) {
        throw Self.refused(
          "sets \(name) of a connection", sql, remedy: "See ModelConfiguration.storeOptions for what can be set.")
      }
    }
  }

  private static func isRoosts(_ table: String) -> Bool { table.lowercased().hasPrefix("_roost_") }

  /// Those whose argument only says what is asked about.
  private static let readingPragmas: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
    "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  private static func refused(_ what: String, _ sql: String, remedy: String) -> SwiftDataError {
    SwiftDataError(.invalidSQL, "The statement \(what): `\(sql)`", remedy: remedy)
  }
}
