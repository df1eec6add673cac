extension DatabaseError {
  /// What every use of a pool throws once it is closed.
  package static let poolIsClosed = DatabaseError(code: misuse, message: "the connection pool is closed")
}

/// Result codes, to compare with `primaryCode` (below 256) or with `code`.
extension DatabaseError {
  /// An error in the SQL, or one without a code of its own.
  package static let error: Int32 = 1
  /// SQLite gave up a statement, for instance because of a rollback.
  package static let abort: Int32 = 4
  /// Another connection holds the lock that was needed, and did so for as long as we waited.
  package static let busy: Int32 = 5
  /// A statement of the same connection holds the lock that was needed.
  package static let locked: Int32 = 6
  /// Memory ran out.
  package static let outOfMemory: Int32 = 7
  /// The database, or this connection to it, is read-only.
  package static let readOnly: Int32 = 8
  /// The statement was interrupted, or the wait for a lock was cancelled.
  package static let interrupt: Int32 = 9
  /// The disk could not be read or written.
  package static let ioError: Int32 = 10
  /// The file is damaged.
  package static let corrupt: Int32 = 11
  /// The disk is full.
  package static let full: Int32 = 13
  /// The file could not be opened.
  package static let cantOpen: Int32 = 14
  /// Another connection changed the schema too often while a statement was being prepared.
  package static let schema: Int32 = 17
  /// A text or blob is larger than SQLite takes.
  package static let tooBig: Int32 = 18
  /// Any violated constraint.
  package static let constraint: Int32 = 19
  /// A value of the wrong type for a place that cannot convert it.
  package static let mismatch: Int32 = 20
  /// The engine was used in a way that cannot work, such as after closing.
  package static let misuse: Int32 = 21
  /// A parameter index that the statement does not have.
  package static let range: Int32 = 25
  /// The file is not a database, or is encrypted with another key.
  package static let notADatabase: Int32 = 26

  /// A violated `CHECK` constraint.
  package static let constraintCheck: Int32 = 275
  /// A reference to a row that is not there.
  package static let constraintForeignKey: Int32 = 787
  /// A missing value where one is required.
  package static let constraintNotNull: Int32 = 1299
  /// A primary key that is taken.
  package static let constraintPrimaryKey: Int32 = 1555
  /// A value that is taken.
  package static let constraintUnique: Int32 = 2067
  /// A rowid that is taken.
  package static let constraintRowID: Int32 = 2579
  /// A value of the wrong type in a `STRICT` table.
  package static let constraintDatatype: Int32 = 3091
  /// A `RAISE` in a trigger.
  package static let constraintTrigger: Int32 = 1811

  /// Another connection wrote since this transaction began to read, so that it cannot write any more.
  package static let busySnapshot: Int32 = 517
  /// The file was moved, deleted or replaced while it was open.
  package static let readOnlyMoved: Int32 = 1032
  /// The transaction was rolled back while it was still being used.
  package static let abortRollback: Int32 = 516
}
