import Foundation
package import RoostEngine
import RoostSQL

extension HistoryTables {
  /// The last change of a trigger's that belongs to a transaction, and the last there is.
  static func notedChanges(_ connection: Connection) throws -> (former: Int64, latest: Int64) {
    let statement = try connection.statement(
      """
      SELECT (SELECT last_change FROM _roost_transaction ORDER BY id DESC LIMIT 1), (SELECT max(id) FROM _roost_change)
      """)
    defer { statement.reset() }
    guard try statement.step() else { return (0, 0) }
    return (statement.int64(0), max(statement.int64(0), statement.int64(1)))
  }

  /// Makes a transaction of what was noted, of what triggers have noted since the last one, or of a migration. Returns its
  /// number; nil if there is nothing.
  @discardableResult
  static func endTransaction(
    by author: HistoryAuthor, isOwn: Bool, changes: [UInt8]? = nil, migration: String? = nil, _ connection: Connection
  ) throws -> Int64? {
    try connection.untraced {
      let (former, latest) = try notedChanges(connection)
      if latest == former, changes == nil, migration == nil { return nil }
      // Not from a query of the same table, for which SQLite would make a temporary one.
      let statement = try connection.statement(
        """
        INSERT INTO _roost_transaction (time, first_change, last_change, author, context, bundle, process, migration, changes) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
      statement.bind(Date().timeIntervalSinceReferenceDate, at: 1)
      statement.bind(former &+ 1, at: 2)
      statement.bind(latest, at: 3)
      let program = Self.program
      let texts = [
        author.author, author.context, isOwn ? program.bundle : nil, isOwn ? program.process : nil, migration,
      ]
      for (place, text) in texts.enumerated() {
        if let text { statement.bind(text, at: Int32(place + 4)) } else { statement.bindNull(at: Int32(place + 4)) }
      }
      if let changes {
        changes.withUnsafeBytes { statement.bind($0, at: 9) }
      } else {
        statement.bindNull(at: 9)
      }
      try statement.run()
      return connection.lastInsertRowID
    }
  }

  /// Runs what writes a property that all readers have seen in its rows already, and forgets what triggers noted of that.
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

  /// What tells this program and its process from others.
  private static let program = (
    bundle: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
    process: "\(ProcessInfo.processInfo.processIdentifier)"
  )
}
