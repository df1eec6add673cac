import Foundation
public import RoostCore

extension ModelContainer {
  /// Opens a store as the initialiser does, on a thread of its own, and tells how far its migration is.
  ///
  /// ```swift
  /// let container = try await ModelContainer.migrate(
  ///   for: Note.self, migrationPlan: NotesPlan.self, configurations: configuration
  /// ) { progress in
  ///   print(progress.stage ?? "", progress.completed, progress.total, progress.remaining ?? .zero)
  /// }
  /// ```
  /// When its task is cancelled, the migration ends, and the store stays what it was.
  /// - Parameters:
  ///   - forTypes: the models.
  ///   - migrationPlan: how older stores come to this schema.
  ///   - configurations: where the store is; none means a file in the user's data folder.
  ///   - progress: called on the migration's thread, at the beginning of each phase and after some 50,000 rows.
  /// - Returns: the container.
  /// - Throws: ``SwiftDataError`` as the initialiser does; `CancellationError`.
  public static func migrate(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration..., progress: @escaping @Sendable (MigrationProgress) -> Void
  ) async throws -> ModelContainer {
    try await migrate(
      for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations, progress: progress)
  }

  /// Opens a store with a migration's progress; see the function that takes model types.
  public static func migrate(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration], progress: @escaping @Sendable (MigrationProgress) -> Void
  ) async throws -> ModelContainer {
    let monitor = MigrationMonitor(progress)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // It blocks, which the threads of tasks must not.
        Thread.detachNewThread {
          let result = Result {
            try ModelContainer(
              for: givenSchema, migrationPlan: migrationPlan, configurations: configurations, monitor: monitor)
          }
          // What was interrupted has its own error.
          continuation.resume(with: result.mapError { monitor.isCancelled ? CancellationError() : $0 })
        }
      }
    } onCancel: {
      monitor.cancel()
    }
  }
}
