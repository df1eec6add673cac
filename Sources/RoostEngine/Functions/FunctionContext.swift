internal import SQLiteLibrary

/// Gives SQLite the result of a function.
enum FunctionContext {
  /// Runs `body` and hands SQLite its value, or its error.
  static func report(to context: OpaquePointer?, _ body: () throws -> DatabaseValue) {
    do {
      switch try body() {
      case .null: sqlite3_result_null(context)
      case .integer(let value): sqlite3_result_int64(context, value)
      case .real(let value): sqlite3_result_double(context, value)
      case .text(var value):
        value.withUTF8 { bytes in
          guard let base = bytes.baseAddress else { return roost_sqlite3_result_text(context, "", 0) }
          roost_sqlite3_result_text(context, base, UInt64(bytes.count))
        }
      case .blob(let bytes):
        bytes.withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress, !bytes.isEmpty else {
            sqlite3_result_zeroblob(context, 0)
            return
          }
          roost_sqlite3_result_blob(context, base, UInt64(bytes.count))
        }
      }
    } catch {
      fail(context, error)
    }
  }

  /// Makes the statement that called the function fail.
  static func fail(_ context: OpaquePointer?, _ error: any Error) {
    guard let error = error as? DatabaseError else {
      sqlite3_result_error(context, String(describing: error), -1)
      return
    }
    sqlite3_result_error(context, error.message, -1)
    sqlite3_result_error_code(context, error.code)
  }
}
