import Synchronization

extension Preferences {
  /// The names of preferences that have changed: ``Preferences/changes``.
  public struct Changes: AsyncSequence, Sendable {
    /// The names that have changed since the last ones.
    public typealias Element = Set<String>
    /// It never fails.
    public typealias Failure = Never

    let inbox: ChangeInbox
    let signals: AsyncStream<Void>

    /// Waits for changes.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(inbox: inbox, signals: signals.makeAsyncIterator())
    }

    /// Waits for changes, and ends when its task is cancelled or the preferences are gone.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let inbox: ChangeInbox
      var signals: AsyncStream<Void>.AsyncIterator

      /// Waits for the next changes.
      ///
      /// - Parameter actor: the actor that waits.
      /// - Returns: the names; nil when the task is cancelled or the preferences are gone.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Set<String>? {
        while await signals.next(isolation: actor) != nil {
          let names = inbox.take()
          if !names.isEmpty { return names }
        }
        return nil
      }
    }
  }
}

/// What one who listens was not told of yet.
final class ChangeInbox: Sendable {
  private let names = Mutex<Set<String>>([])
  let signal: AsyncStream<Void>.Continuation

  init(_ signal: AsyncStream<Void>.Continuation) { self.signal = signal }

  func put(_ new: Set<String>) {
    names.withLock { $0.formUnion(new) }
    signal.yield()
  }

  func take() -> Set<String> {
    names.withLock { names in
      defer { names = [] }
      return names
    }
  }
}

/// All who listen.
final class PreferenceListeners: Sendable {
  private let inboxes = Mutex<(next: Int, all: [Int: ChangeInbox])>((0, [:]))

  // Nobody would tell who listens of anything any more.
  deinit {
    for inbox in inboxes.withLock({ Array($0.all.values) }) { inbox.signal.finish() }
  }

  func listen() -> Preferences.Changes {
    // One signal that waits is enough: the names wait in the inbox.
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let inbox = ChangeInbox(signal)
    let number = inboxes.withLock { inboxes in
      inboxes.next += 1
      inboxes.all[inboxes.next] = inbox
      return inboxes.next
    }
    signal.onTermination = { [weak self] _ in
      self?.inboxes.withLock { _ = $0.all.removeValue(forKey: number) }
    }
    return Preferences.Changes(inbox: inbox, signals: signals)
  }

  func tell(_ names: Set<String>) {
    for inbox in inboxes.withLock({ Array($0.all.values) }) { inbox.put(names) }
  }

  var count: Int { inboxes.withLock { $0.all.count } }
}
