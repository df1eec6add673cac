import Foundation
package import RoostEngine
import RoostSQL

extension HistoryTables {
  /// The last change of a trigger's that belongs to a transaction, and the last there is.
  package typealias NotedChanges = (former: Int64, latest: Int64)

  package static func notedChanges(_ connection: Connection) throws -> NotedChanges {
    try connection.untraced {
      let statement = try connection.statement(
        """
        SELECT (SELECT last_change FROM _roost_transaction ORDER BY id DESC LIMIT 1), (SELECT max(id) FROM _roost_change)
        """)
      defer { statement.reset() }
      guard try statement.step() else { return (0, 0) }
      return (statement.int64(0), max(statement.int64(0), statement.int64(1)))
    }
  }

  /// Makes a transaction of what was noted, of what triggers have noted since the last one, or of a migration. Returns
  /// its number; nil if there is nothing. `noted`: what triggers have noted, where that is known.
  @discardableResult
  static func endTransaction(
    by author: HistoryAuthor, isOwn: Bool, changes: [UInt8]? = nil, migration: String? = nil,
    noted: NotedChanges? = nil, _ connection: Connection
  ) throws -> Int64? {
    let (former, latest) = try noted ?? notedChanges(connection)
    return try connection.untraced {
      if latest == former, changes == nil, migration == nil { return nil }
      let statement = try connection.statement(isOwn ? ownInsertion : othersInsertion)
      statement.bind(StoreClock.now, at: 1)
      statement.bind(former &+ 1, at: 2)
      statement.bind(latest, at: 3)
      if let text = author.author { statement.bind(held: text, at: 4) }
      if let text = author.context { statement.bind(held: text, at: 5) }
      if let migration { statement.bind(migration, at: 6) }
      if let changes { changes.withUnsafeBytes { statement.bind($0, at: 7) } }
      try statement.run()
      return connection.lastInsertRowID
    }
  }

  /// Runs what writes a property that all readers have seen in its rows already, and
  /// forgets what triggers noted of that.
  ///
  /// What other triggers change on that occasion stays noted.
  package static func withoutUpdates(
    of property: HistoryFields.Name, _ connection: Connection, _ body: () throws -> Void
  ) throws {
    guard try exist(in: connection), let number = try HistoryFields(connection).number(of: property) else {
      return try body()
    }
    let (_, latest) = try notedChanges(connection)
    try body()
    let statement = try connection.statement(
      "DELETE FROM _roost_change WHERE id > ? AND kind = \(Kind.updated.rawValue) AND fields IN (?, ?)")
    statement.bind(latest, at: 1)
    // As the triggers have it: a bit for each property, or the numbers.
    statement.bind(number > 62 ? SQLValue.null : .integer(1 << number), at: 2)
    statement.bind(" \(number)", at: 3)
    try statement.run()
  }

  // What tells this program and its process from others is a part of the text, as it is the same for each transaction.
  private static let ownInsertion = insertion(
    bundle: quotedText(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName),
    process: quotedText("\(ProcessInfo.processInfo.processIdentifier)"))
  private static let othersInsertion = insertion(bundle: "NULL", process: "NULL")

  /// Not from a query of the same table, for which SQLite would make a temporary one.
  private static func insertion(bundle: String, process: String) -> String {
    """
    INSERT INTO _roost_transaction (time, first_change, last_change, author, context, migration, changes, bundle, process) \
    VALUES (?, ?, ?, ?, ?, ?, ?, \(bundle), \(process))
    """
  }
}
