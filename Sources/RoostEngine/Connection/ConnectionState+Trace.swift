internal import SQLiteLibrary

/// What a connection tells about a statement. The SQL has the values bound where the options say so.
package enum TraceEvent: Sendable {
  /// It begins to run, or something that it sets off does, such as a foreign key's action.
  case began(sql: String)
  /// It has ended or was reset. Comes once a statement; SQLite counts the time in milliseconds.
  case ended(sql: String, Duration)
}

extension ConnectionState {
  /// Has SQLite tell the options' `trace` of each statement.
  func installTrace(on database: OpaquePointer) {
    guard options.trace != nil else { return }
    // SAFETY: as for the busy handler: this object outlives `database`, and SQLite calls on the one thread using it.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      database, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
      { event, context, statement, detail in
        guard let context, let statement, let detail else { return 0 }
        let state = Unmanaged<ConnectionState>.fromOpaque(context).takeUnretainedValue()
        guard state.isTraced, let trace = state.options.trace else { return 0 }
        if event == UInt32(SQLITE_TRACE_STMT) {
          // SAFETY: for SQLITE_TRACE_STMT the last argument is documented to be NUL-terminated UTF-8.
          let sql = String(cString: detail.assumingMemoryBound(to: CChar.self))
          trace(.began(sql: state.expanded(OpaquePointer(statement)) ?? sql))
        } else {
          // SAFETY: for SQLITE_TRACE_PROFILE it is documented to point to a 64-bit number of nanoseconds.
          let time = Duration.nanoseconds(detail.loadUnaligned(as: Int64.self))
          let sql = sqlite3_sql(OpaquePointer(statement)).map { String(cString: $0) } ?? ""
          trace(.ended(sql: state.expanded(OpaquePointer(statement)) ?? sql, time))
        }
        return 0
      }, context)
  }

  /// The statement with its values, where these may be told.
  private func expanded(_ statement: OpaquePointer) -> String? {
    guard options.reportsArguments, let expanded = sqlite3_expanded_sql(statement) else { return nil }
    defer { sqlite3_free(expanded) }
    return String(cString: expanded)
  }
}
