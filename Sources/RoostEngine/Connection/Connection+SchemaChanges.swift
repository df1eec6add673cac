extension Connection {
  /// SQLite's number of the latest change of tables, by whomever.
  ///
  /// Source: [SQLite, schema_version](https://www.sqlite.org/pragma.html#pragma_schema_version).
  package func schemaVersion() throws(DatabaseError) -> Int64 {
    let statement = try statement("PRAGMA schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }

  /// The reason why tables are not what a statement took them for, if ``tableCheck`` has one, in place of its error.
  @usableFromInline
  func explaining(_ error: any Error) -> any Error {
    do {
      try tableCheck?(self)
      return error
    } catch {
      return error
    }
  }
}
