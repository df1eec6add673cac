import Logging
import RoostEngine

extension Store {
  /// Writes the values of rows that are about to be updated by other than their models, which know all properties.
  func completeBackfills(_ connection: Connection) throws { try backfills?.completeAll(connection) }

  /// Writes what rows still wait for, a few at a time, whenever nobody else is writing.
  func backfillInBackground() -> Task<Void, Never>? {
    guard let backfills, configuration.allowsSave, configuration.storeOptions.migration.backfillsInBackground else {
      return nil
    }
    return Task.detached(priority: .background) { [weak self, logger] in
      while !Task.isCancelled {
        do {
          let isGoingOn = try self.map { store in
            try store.pool.writeIfIdle { try backfills.completeNext($0, store.schemaGuard) }
          }
          switch isGoingOn {
          case true??: await Task.yield()
          case false??, nil: return
          case .some(nil): try await Task.sleep(for: .milliseconds(10))
          }
        } catch let error as DatabaseError where error.primaryCode == DatabaseError.busy {
          try? await Task.sleep(for: .milliseconds(100))
        } catch is CancellationError {
          return
        } catch {
          if self?.pool.isClosed ?? true { return }
          logger.error("Computing properties of old rows failed", metadata: ["error": "\(error)"])
          return
        }
      }
    }
  }
}

extension ModelContainer {
  /// How many values of `.backfill` steps are still to be written to rows of the store.
  ///
  /// - Throws: ``SwiftDataError``, such as ``SwiftDataError/storeClosed``.
  public var pendingBackfills: Int {
    get throws {
      guard let backfills = store.backfills else { return 0 }
      return try SwiftDataError.translating { try store.pool.read { try backfills.count($0) } }
    }
  }

  /// Writes all values of `.backfill` steps that rows still wait for, some hundred rows a transaction.
  ///
  /// A container does so in the background, unless `storeOptions.migration.backfillsInBackground` is false. A command-line
  /// tool, or a test, calls this instead.
  /// - Throws: ``SwiftDataError``; what a step throws, with the row. What was written until then stays.
  public func finishBackfills() throws {
    guard let backfills = store.backfills else { return }
    try SwiftDataError.translating(SwiftDataError.saving) {
      while try store.pool.write({ try backfills.completeNext($0, store.schemaGuard) }) {}
    }
  }
}
