import Foundation
import Logging
public import RoostCore
import RoostEngine

extension Store {
  /// Writes what rows still wait for, a few at a time, on a thread of its own: it waits
  /// for locks, which tasks must not.
  func backfillInBackground() {
    guard let backfills, configuration.allowsSave, configuration.storeOptions.migration.backfillsInBackground else {
      return
    }
    Thread.detachNewThread { [weak self, logger] in
      let clock = ContinuousClock()
      var pause = Duration.zero
      do {
        // Nobody keeps the store open for it: what is left is done after the next opening.
        while try self.map({ store in
          let start = clock.now
          let isGoingOn = try store.pool.write { try backfills.completeNext($0, store.schemaGuard) }
          pause = clock.now - start
          return isGoingOn
        }) ?? false {
          // The lock is free for other programs for as long as it was not.
          Thread.sleep(forTimeInterval: pause / .seconds(1))
        }
      } catch {
        if self?.pool.isClosed ?? true { return }
        logger.error("Computing properties of old rows ended early", metadata: ["error": "\(error)"])
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
  /// A container does so in the background, unless `storeOptions.migration.backfillsInBackground` is false. A
  /// command-line tool, or a test, calls this instead.
  /// - Throws: ``SwiftDataError``; what a step throws, with the row. What was written until then stays.
  public func finishBackfills() throws {
    try SwiftDataError.translating(SwiftDataError.saving) { try store.completeBackfillsInParts() }
  }
}
