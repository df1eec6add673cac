extension Pool {
  /// Copies the database as it was last committed over another, also while the writer has a transaction.
  ///
  /// For what `destination` and `progress` are, see `Connection.backup(to:pagesPerStep:progress:)`.
  package func backup(
    to destination: Connection, progress: (_ remaining: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws {
    // A connection with the write lock cannot be copied from.
    let source = try checkout()
    defer { checkin(source) }
    try use(source) { try source.backup(to: destination, progress: progress) }
  }
}
