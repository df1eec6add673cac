import RoostEngine
package import Testing

/// Runs tests on plain files where the whole suite runs on encrypted ones: those of what only a plain file has.
package struct PlainFiles: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await DatabaseKey.$hasPlainFiles.withValue(true) { try await function() }
  }
}

extension Trait where Self == PlainFiles {
  /// On plain files, whatever the whole suite runs on.
  package static var plainFiles: PlainFiles { PlainFiles() }
}

extension Trait where Self == ConditionTrait {
  /// Where other programs, such as the `sqlite3` command, can read what this one writes.
  package static var readableByOthers: ConditionTrait {
    .enabled(if: DatabaseKey.standard == nil, "Other programs have no key.")
  }

  /// Where SQLite tells of rows before they change. What becomes of programs elsewhere is in other tests: anything may
  /// have changed.
  package static var rowsTold: ConditionTrait {
    .enabled(if: RowChangeLog.isSupported, "This SQLite was built without SQLITE_ENABLE_PREUPDATE_HOOK.")
  }
}
