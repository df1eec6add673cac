public import Foundation
import RoostCore
import SyncMerge

/// How far a store and its server are.
public struct SyncStatus: Hashable, Sendable {
  /// What is being done.
  public enum Phase: Hashable, Sendable {
    /// The session with the server is beginning.
    case connecting
    /// Changes are on their way to the server.
    case sending
    /// Others' changes are being fetched, or wait for other rows.
    case receiving
    /// The server has all, and the store has all that the server is known to have.
    case upToDate
    /// The server is not reached, or has no time: it is tried again.
    case waiting
    /// Something must be done about it, of which the text tells; it is tried again now and then.
    case blocked(String)
    /// ``SyncEngine/pause()`` was called.
    case paused
  }

  /// What is being done, or ``Phase/upToDate`` when nothing is left to do.
  public internal(set) var phase = Phase.connecting
  /// What is in the way, also of ``Phase/waiting``, such as that the server is not reached; nil for nothing.
  public internal(set) var error: SyncError?
  /// The same for people, with what to do.
  public var problem: String? { error.map { "\($0)" } }
  /// How many changes the server has not acknowledged: rows, and saves that were not looked at yet.
  public internal(set) var waitingChanges = 0
  /// How many of the server's rows are not shown yet, as they wait for others.
  public internal(set) var waitingRows = 0
  /// When the oldest change was made that the server has not acknowledged; nil if there is none.
  public internal(set) var oldestChange: Date?
  /// When the server last acknowledged a change; nil if it has not since the container was made.
  public internal(set) var lastAcknowledgement: Date?
  /// The models whose rows were not the server's when both were last compared; empty for none.
  ///
  /// See ``SyncEvent/differs(models:)``.
  public internal(set) var differingModels: [String] = []
}

extension SyncStatus.Phase {
  /// `counts`: what waits; nil where the store did not say.
  init(_ phase: SyncCore.Phase, isIdle: Bool, _ counts: SyncCounts?) {
    let isDone = isIdle && counts?.isUpToDate ?? false
    self =
      switch phase {
      case .idle where counts?.tooLarge ?? 0 > 0: .blocked(counts?.tooLargeReason ?? "")
      case .beginning: .connecting
      case .pushing: .sending
      case .pulling: .receiving
      case .idle where counts?.isOnlyCollected ?? false: .receiving
      case .idle: isDone ? .upToDate : .sending
      case .waiting: .waiting
      case .blocked(let reason): .blocked(reason)
      case .paused: .paused
      }
  }
}

/// Something that happened while a store was synced.
public enum SyncEvent: Hashable, Sendable {
  /// ``SyncEngine/status`` is another one.
  case status(SyncStatus)
  /// The server has taken changes of so many rows.
  case sent(rows: Int)
  /// So many rows came from the server.
  case received(rows: Int)
  /// Changes met others': so many are new in the journal.
  case conflicts(Int)
  /// The rows of these models are not those of the server, or not in their last versions, though nothing is on its way.
  ///
  /// Something is wrong with the store, the server or Roost. All rows are fetched anew, once, and compared again: if the
  /// event comes again, that did not help. They are compared as a session begins, once a day while they are the same.
  case differs(models: [String])
}

/// Why a store is not synced.
public enum SyncError: Error, Hashable, Sendable {
  /// The server was not reached, or failed.
  case unreachable(String)
  /// The server does not know the token.
  case unauthorized
  /// The store was synced with another account or database: ``SyncEngine/useAccount(_:)`` says what becomes of its rows.
  case otherAccount
  /// Something must be done about it.
  case blocked(String)
  /// The store was closed.
  case ended

  /// What a program is told that waits. `phase`: what became of it.
  static func told(_ failure: any Error, _ phase: SyncCore.Phase) -> any Error {
    if failure is SwiftDataError { return failure }
    let error = SyncError(failure)
    // In the words that the status has.
    if case .blocked = error, case .blocked(let reason) = phase { return SyncError.blocked(reason) }
    return error
  }

  init(_ error: any Error) {
    self =
      switch error {
      case SyncServiceError.unauthorized: .unauthorized
      case SyncServiceError.unreachable(let reason), SyncServiceError.failed(let reason): .unreachable(reason)
      case SyncServiceError.busy: .unreachable("The server has no time now.")
      case let error as SyncError: error
      case SyncedStoreError.otherAccount: .otherAccount
      case SyncZoneError.clockAhead: .blocked("This device's clock is ahead of the server's. Set it.")
      case is SyncZoneError, is SyncedStoreError:
        .blocked(
          "The server's data is not what this device saw, and beginning anew has not helped yet. It is tried again by itself; if this "
            + "stays, look at the server's log (\(error)).")
      default: .blocked("\(error)")
      }
  }
}

extension SyncError: CustomStringConvertible, LocalizedError {
  /// What is in the way, and what to do.
  public var description: String {
    switch self {
    case .unreachable(let reason):
      "Nothing is sent or fetched now. \(reason)\(reason.hasSuffix(".") ? "" : ".") It is tried again by itself."
    case .unauthorized:
      "The server does not know the token. Have the user sign in again, so that it gets another one, and call resume()."
    case .otherAccount:
      "The store was synced with another account or database, or the server was set up anew. "
        + "Call useAccount(.merge) or useAccount(.discard) of the container's sync."
    case .blocked(let reason): reason
    case .ended: "The store was closed. Keep the ModelContainer for as long as it is to be synced, or make another one."
    }
  }

  /// The same, for `localizedDescription`.
  public var errorDescription: String? { description }
}
