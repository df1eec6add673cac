package import RoostEngine

/// New properties whose values some rows still lack, and what makes that invisible to whoever reads.
///
/// A migration knows how they are computed; a store only asks for it.
package protocol Backfilling: Sendable {
  /// Adds what computes a value to a connection.
  func addFunction(to connection: Connection)

  /// Puts views in the place of the tables, on a connection that only reads.
  func addViews(to connection: Connection) throws

  /// The query to read instead of a table where there is no view; nil for a table that lacks no value.
  func source(of table: String) -> String?

  /// Writes the values of rows that are about to change, of what they are now.
  func complete(_ keys: [Int64], of table: String, _ connection: Connection) throws

  /// Writes the values of all rows.
  func completeAll(_ connection: Connection) throws

  /// Writes those of some rows, in a transaction of its own. Returns whether there were any left.
  func completeNext(_ connection: Connection, _ schemaGuard: SchemaGuard) throws -> Bool

  /// How many values are still to be written.
  func count(_ connection: Connection) throws -> Int
}

extension Store {
  /// Writes the values of rows that are about to be updated by other than their models, which know all properties.
  package func completeBackfills(_ connection: Connection) throws { try backfills?.completeAll(connection) }

  /// Writes the values of all rows, some hundred a transaction, so that others can write in between.
  package func completeBackfillsInParts() throws {
    guard let backfills else { return }
    while try pool.write({ try backfills.completeNext($0, schemaGuard) }) {}
  }
}
