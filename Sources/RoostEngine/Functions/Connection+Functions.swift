internal import SQLiteLibrary

/// Functions are for queries; what is written into a schema must work without them.
///
/// A registration that SQLite refuses (a name that is too long, a connection that is busy) is remembered, and thrown by
/// the next statement that is prepared.
extension Connection {
  /// Adds an SQL function; what it throws makes the statement fail. `arguments` is their number, or -1 for any.
  package func addFunction(
    _ name: String, arguments: Int32, isDeterministic: Bool = true,
    _ body: @escaping @Sendable (FunctionArguments) throws -> DatabaseValue
  ) {
    guard let database = state.database else { return }
    let code = sqlite3_create_function_v2(
      database, name, arguments, flags(isDeterministic), retained(ScalarFunction(body)),
      { context, count, values in
        guard let function = ScalarFunction.from(sqlite3_user_data(context)) else { return }
        FunctionContext.report(to: context) { try function.body(FunctionArguments(count, values)) }
      }, nil, nil,
      { ScalarFunction.release($0) })
    noteRegistration(code, "function", name)
  }

  /// Adds a collation, which compares UTF-8: negative, zero or positive, consistently, as for sorting.
  package func addCollation(
    _ name: String, _ compare: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32
  ) {
    guard let database = state.database else { return }
    let collation = retained(Collation(compare))
    let code = sqlite3_create_collation_v2(
      database, name, SQLITE_UTF8, collation,
      { context, leftCount, left, rightCount, right in
        guard let collation = Collation.from(context) else { return 0 }
        // SAFETY: SQLite passes that many bytes each, which live until this returns.
        return collation.compare(
          UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
          UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
      },
      { Collation.release($0) })
    // Unlike a function, a collation that was refused is left for the caller to release.
    if code != SQLITE_OK { Collation.release(collation) }
    noteRegistration(code, "collation", name)
  }

  func flags(_ isDeterministic: Bool) -> Int32 {
    SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
  }

  func retained(_ object: some CallbackObject) -> UnsafeMutableRawPointer {
    // SAFETY: balanced by `CallbackObject.release(_:)`, which SQLite calls when it gives the registration up.
    Unmanaged.passRetained(object).toOpaque()
  }

  func noteRegistration(_ code: Int32, _ kind: String, _ name: String) {
    guard code != SQLITE_OK, state.registrationFailure == nil else { return }
    let reason = state.error(code)
    state.registrationFailure = DatabaseError(
      code: reason.code, message: "the \(kind) \(name) could not be added: \(reason.message)")
  }
}
