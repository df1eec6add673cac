public import RoostCore

extension ModelConfiguration {
  /// The same configuration, whose store records every SQL statement that it runs.
  ///
  /// ```swift
  /// let recorder = StatementRecorder()
  /// let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
  /// let container = try ModelContainer(for: Note.self, configurations: configuration)
  /// let context = ModelContext(container)
  /// let statements = try recorder.statements { _ = try context.fetch(FetchDescriptor<Note>()) }
  /// #expect(statements.count == 1)
  /// ```
  public func recording(to recorder: StatementRecorder) -> ModelConfiguration {
    var configuration = self
    configuration.storeOptions.recorder = recorder
    return configuration
  }
}

extension StatementRecorder {
  /// The statements that run while `body` does, on whatever connection; those that begin and end transactions apart.
  public func statements(during body: () throws -> Void) rethrows -> [String] {
    let before = statements.count
    try body()
    return statements[before...].filter { statement in
      !["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA"].contains { statement.hasPrefix($0) }
    }
  }
}
