// Where a connection keeps what it works with. Neither can be switched within a transaction.
extension Connection {
  /// Has SQLite sort, and keep what savepoints may take back, in files, where these may hold values, or else in memory.
  ///
  /// Nothing may hold a temporary table or view: they would be dropped.
  package func sortInFiles(_ isOn: Bool) throws(DatabaseError) {
    if options.maySpill { try execute("PRAGMA temp_store=\(isOn ? "FILE" : "MEMORY")") }
  }

  /// Has as much of the file mapped as the options say, or nothing.
  package func mapFile(_ isOn: Bool) throws(DatabaseError) {
    if options.mappedBytes > 0 { try execute("PRAGMA mmap_size=\(isOn ? options.mappedBytes : 0)") }
  }
}
