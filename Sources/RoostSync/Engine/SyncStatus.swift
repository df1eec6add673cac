public import Foundation

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
    /// Everything is sent, and every change that is known of is fetched.
    case upToDate
    /// The server is not reached, or has no time, or nobody is signed in: it is tried again.
    case waiting
    /// Something must be done about it, of which the text tells; it is tried again now and
    /// then, unless the store was closed.
    case blocked(String)
    /// ``SyncEngine/pause()`` was called.
    case paused
  }

  /// What is being done, or ``Phase/upToDate`` when nothing is left to do.
  public internal(set) var phase = Phase.connecting
  /// What is in the way, also of ``Phase/waiting``, such as that the server is not reached; nil for nothing.
  public internal(set) var error: SyncError?
  /// The same as text, for logs and developers. Show users words of your own for each case.
  public var problem: String? { error.map { "\($0)" } }
  /// How many changes the server has not acknowledged.
  ///
  /// Rows, those of before sync was switched on too, and saves that were not looked at yet.
  public internal(set) var waitingChanges = 0
  /// How many of the server's rows are not shown yet, as they wait for others.
  public internal(set) var waitingRows = 0
  /// When the oldest change was made that the server has not acknowledged.
  ///
  /// nil if there is none, or where nobody knows, as of rows that were there before sync was switched on.
  public internal(set) var oldestChange: Date?
  /// When the server last acknowledged a change of this store; nil if it has not since the container was made.
  public internal(set) var lastAcknowledgement: Date?
  /// The models whose rows were not the server's when both were last compared; empty for none.
  ///
  /// See ``SyncEvent/differs(models:)``.
  public internal(set) var differingModels: [String] = []

  /// Makes one for previews and tests.
  ///
  /// - Parameters:
  ///   - phase: what is being done.
  ///   - error: what is in the way.
  ///   - waitingChanges: how many changes the server has not acknowledged.
  ///   - waitingRows: how many of the server's rows are not shown yet.
  ///   - oldestChange: when the oldest change was made that the server has not acknowledged.
  ///   - lastAcknowledgement: when the server last acknowledged a change.
  ///   - differingModels: the models whose rows were not the server's.
  public init(
    phase: Phase = .connecting, error: SyncError? = nil, waitingChanges: Int = 0, waitingRows: Int = 0,
    oldestChange: Date? = nil, lastAcknowledgement: Date? = nil, differingModels: [String] = []
  ) {
    (self.phase, self.error, self.differingModels) = (phase, error, differingModels)
    (self.waitingChanges, self.waitingRows) = (waitingChanges, waitingRows)
    (self.oldestChange, self.lastAcknowledgement) = (oldestChange, lastAcknowledgement)
  }
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
