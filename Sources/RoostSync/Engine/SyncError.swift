public import Foundation
public import Roost
import RoostCore
import SyncMerge

/// Why a store is not synced.
public enum SyncError: Error, Hashable, Sendable {
  /// The server was not reached, or failed, or another program was writing to the store: it is tried again by itself.
  case unreachable(String)
  /// The program's token closure threw, or took too long, as where nobody is signed in: the text says why.
  case noToken(String)
  /// The server does not know the token.
  case unauthorized
  /// The store was synced with another account or database: ``SyncEngine/useAccount(_:)``
  /// says what becomes of its rows.
  ///
  /// A server that was set up anew, without its data, is another account, too: the device may
  /// have the last copy of the rows.
  case otherAccount
  /// The program is too old for the server or for other devices' programs, or the server for the program.
  ///
  /// The text says which to update.
  case outdated(String)
  /// Changes are larger than the server, or a proxy before it, takes.
  ///
  /// The text names their models, and says whether others' rows wait for them.
  case tooLarge(String)
  /// ``SyncEngine/pause()`` was called while somebody waited.
  case paused
  /// The store cannot be read or written, as on a full disk.
  case store(SwiftDataError)
  /// Something else must be done about it, such as at a wrong address: the text says what.
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

  /// What an error is to a program.
  package init(_ error: any Error) {
    self =
      switch error {
      case SyncServiceError.noToken(let reason): .noToken(reason)
      case SyncServiceError.unauthorized: .unauthorized
      case SyncServiceError.unreachable(let reason), SyncServiceError.failed(let reason): .unreachable(reason)
      case SyncServiceError.busy: .unreachable("The server has no time now.")
      case let error as SwiftDataError where error == .storeBusy:
        .unreachable("Another program is writing to the store.")
      case let error as SwiftDataError: .store(error)
      case let error as SyncError: error
      case SyncedStoreError.otherAccount: .otherAccount
      case SyncZoneError.unknownVersion, SyncZoneError.movedClass:
        if case .refused(let reason) = SyncCore.Failure(error) { .outdated(reason) } else { .outdated("\(error)") }
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
    case .noToken(let reason):
      "Nothing is sent or fetched now, as there is no token. \(reason) It is tried again by itself; call resume() once somebody has "
        + "signed in."
    case .unauthorized:
      "The server does not know the token. Have the user sign in again, so that it gets another one, and call resume()."
    case .otherAccount:
      "The store was synced with another account or database, or the server was set up anew. "
        + "Call useAccount(.merge) of the container's sync, which keeps this device's rows, or useAccount(.discard), which removes them: "
        + "they may be the last copy."
    case .outdated(let reason), .tooLarge(let reason), .blocked(let reason): reason
    case .paused: "pause() was called. Call resume() to go on."
    case .store(let error): "\(error)"
    case .ended: "The store was closed. Keep the ModelContainer for as long as it is to be synced, or make another one."
    }
  }

  /// The same, for `localizedDescription`.
  public var errorDescription: String? { description }
}
