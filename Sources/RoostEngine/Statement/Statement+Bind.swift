internal import SQLiteLibrary

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Binding does not throw: the first failure is remembered, and `step()` throws it.
extension Statement {
  /// Binds NULL.
  package func bindNull(at index: Int32) {
    note(sqlite3_bind_null(handle, index), index)
    if keepsArguments { arguments[index] = .null }
  }

  /// Binds a whole number.
  package func bind(_ value: Int64, at index: Int32) {
    note(sqlite3_bind_int64(handle, index, value), index)
    if keepsArguments { arguments[index] = .integer(value) }
  }

  /// Binds a whole number; also what a literal means.
  package func bind(_ value: Int, at index: Int32) {
    bind(Int64(value), at: index)
  }

  /// Binds a floating-point number; SQLite makes NaN NULL.
  package func bind(_ value: Double, at index: Int32) {
    note(sqlite3_bind_double(handle, index, value), index)
    if keepsArguments { arguments[index] = .real(value) }
  }

  /// Binds text, which may contain NULs.
  package func bind(_ value: String, at index: Int32) {
    var value = value
    let code = value.withUTF8 { bytes in
      // A null pointer would bind NULL, which the empty text is not.
      guard let base = bytes.baseAddress else { return roost_sqlite3_bind_text(handle, index, "", 0) }
      return roost_sqlite3_bind_text(handle, index, base, UInt64(bytes.count))
    }
    note(code, index)
    if keepsArguments { arguments[index] = .text(value) }
  }

  /// Binds text where it lies, without a copy, for somebody who keeps the string as it is until the statement has run.
  package func bind(held value: String, at index: Int32) {
    // A short string has its text inside, in a place of its own for each copy.
    let code: Int32? =
      value.utf8.count <= 15
      ? nil
      : value.utf8.withContiguousStorageIfAvailable { bytes in
        // SAFETY: a long native string is a reference to its text, which stays where it is as long as anybody has the
        // string. SQLite reads it while the statement runs; what it has bound afterwards it only forgets.
        bytes.baseAddress.map { roost_sqlite3_bind_held_text(handle, index, $0, UInt64(bytes.count)) } ?? SQLITE_NOMEM
      }
    guard let code else { return bind(value, at: index) }
    note(code, index)
    if keepsArguments { arguments[index] = .text(value) }
  }

  /// Binds bytes.
  package func bind(_ value: Data, at index: Int32) {
    value.withUnsafeBytes { bind($0, at: index) }
  }

  /// Binds bytes, which are copied.
  package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    // SAFETY: SQLite copies `count` bytes from `base`, which the caller vouches for, before this call returns.
    if let base = bytes.baseAddress, !bytes.isEmpty {
      note(roost_sqlite3_bind_blob(handle, index, base, UInt64(bytes.count)), index)
    } else {
      // A null pointer would bind NULL, which the empty blob is not.
      note(sqlite3_bind_zeroblob(handle, index, 0), index)
    }
    if keepsArguments { arguments[index] = .blob(Array(bytes)) }
  }

  /// Binds any value.
  package func bind(_ value: DatabaseValue, at index: Int32) {
    switch value {
    case .null: bindNull(at: index)
    case .integer(let value): bind(value, at: index)
    case .real(let value): bind(value, at: index)
    case .text(let value): bind(value, at: index)
    case .blob(let bytes): bytes.withUnsafeBytes { bind($0, at: index) }
    }
  }

  /// Makes all parameters NULL, and forgets a failure to bind.
  package func clearBindings() {
    hasBindings = false
    bindingFailure = nil
    arguments.removeAll()
    if handle != nil { sqlite3_clear_bindings(handle) }
  }

  private func note(_ code: Int32, _ index: Int32) {
    hasBindings = true
    if code != SQLITE_OK { noteFailure(code, index) }
  }

  private func noteFailure(_ code: Int32, _ index: Int32) {
    guard bindingFailure == nil else { return }
    guard handle != nil else {
      bindingFailure = ConnectionState.closedError(sql)
      return
    }
    let reason =
      switch code {
      case SQLITE_RANGE: "the statement has \(parameterCount) parameters"
      case SQLITE_MISUSE: "the statement is in the middle of its rows; reset it first"
      default: sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"
      }
    bindingFailure = DatabaseError(
      code: code, message: "parameter \(index) cannot be bound: \(reason)", sql: sql, arguments: boundArguments)
  }
}
