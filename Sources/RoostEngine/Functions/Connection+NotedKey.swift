internal import SQLiteLibrary

// The key of the row that an upsert found.
//
// `RETURNING` tells it too, but SQLite collects what is returned in a temporary table: an upsert takes half as long
// again. A function in the `WHERE` of `DO UPDATE` is called once for each row that is found, with its key.
extension Connection {
  /// The SQL function that keeps its argument as ``notedKey``, and is always true. Add it with ``addKeyNote()``.
  package static var keyNote: StaticString { "roost_note_key" }

  /// What the function was given last; nil when it was not called since this was set to nil.
  package var notedKey: Int64? {
    get { state.notedKey.value }
    set { state.notedKey.value = newValue }
  }

  /// Adds the function, unless it was added before.
  package func addKeyNote() {
    guard let database = state.database, !state.notedKey.isAdded else { return }
    state.notedKey.isAdded = true
    let code = sqlite3_create_function_v2(
      database, Self.keyNote.description, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, retained(state.notedKey),
      { context, _, values in
        NotedKey.from(sqlite3_user_data(context))?.value = sqlite3_value_int64(values?[0])
        sqlite3_result_int(context, 1)
      }, nil, nil,
      { NotedKey.release($0) })
    noteRegistration(code, "function", Self.keyNote.description)
  }
}

/// Where the function keeps its argument.
final class NotedKey: CallbackObject {
  // SAFETY: only the connection's one user, and the function while that user runs a statement, read or write these.
  @exclusivity(unchecked) var value: Int64?
  @exclusivity(unchecked) var isAdded = false
}
