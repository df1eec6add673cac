internal import CSQLite

extension ConnectionState {
  /// Calls the options' `trace` with every statement that begins to run.
  func installTrace(on database: OpaquePointer) {
    guard options.trace != nil else { return }
    // SAFETY: as for the busy handler: this object outlives `database`, and SQLite calls on the one thread using it.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      database, UInt32(SQLITE_TRACE_STMT),
      { _, context, statement, text in
        guard let context, let statement, let text else { return 0 }
        let state = Unmanaged<ConnectionState>.fromOpaque(context).takeUnretainedValue()
        guard let trace = state.options.trace else { return 0 }
        if state.options.reportsArguments, let expanded = sqlite3_expanded_sql(OpaquePointer(statement)) {
          defer { sqlite3_free(expanded) }
          trace(String(cString: expanded))
        } else {
          // SAFETY: for SQLITE_TRACE_STMT the last argument is documented to be NUL-terminated UTF-8.
          trace(String(cString: text.assumingMemoryBound(to: CChar.self)))
        }
        return 0
      }, context)
  }
}
