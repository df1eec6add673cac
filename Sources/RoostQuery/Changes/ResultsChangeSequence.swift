public import RoostCore

extension ResultsObserver {
  /// What becomes of the results from the beginning of a loop on, as a sequence that waits for changes.
  ///
  /// ```swift
  /// show(observer.results)
  /// for await changes in observer.changes { apply(changes, observer.results) }
  /// ```
  /// An element tells how the results differ from those that the loop was told of before: at first those that the
  /// observer showed when the loop began. A slow reader misses nothing and nothing queues up: all that was changed
  /// meanwhile comes as one set of changes, and what was changed and changed back not at all. Several loops may run at
  /// a time, each with its own state.
  ///
  /// The loop runs where the observer belongs. It keeps the models that it was told of, and not the observer: it ends
  /// when the observer is released, or the task cancelled.
  public var changes: ResultsChangeSequence<Element, SectionTitle> { ResultsChangeSequence(observer: self) }
}

/// What becomes of an observer's results, as ``ResultsObserver/changes``.
public struct ResultsChangeSequence<Model, SectionTitle>: AsyncSequence
where Model: PersistentModel, SectionTitle: Hashable {
  /// What a loop is told each time.
  public typealias Element = ResultsChanges<SectionTitle>
  /// A loop never throws: of a fetch that fails ``ResultsObserver/fetchError`` tells.
  public typealias Failure = Never

  weak var observer: ResultsObserver<Model, SectionTitle>?

  /// A reader that knows what the observer shows now.
  public func makeAsyncIterator() -> Iterator { Iterator(observer) }

  /// A reader of changes, for programs that do not read them by a loop.
  public struct Iterator: AsyncIteratorProtocol {
    private weak var observer: ResultsObserver<Model, SectionTitle>?
    private let waiter = ChangeWaiter()
    private var seen: SeenResults<Model, SectionTitle>?

    init(_ observer: ResultsObserver<Model, SectionTitle>?) {
      self.observer = observer
      observer?.signal.add(waiter)
      seen = observer.map { SeenResults($0) }
    }

    /// Waits until the results differ from those that this reader was told of last, and tells how.
    ///
    /// - Parameter isolation: the actor that the observer belongs to, which is the caller's.
    /// - Returns: nil when the observer was released, or the task cancelled.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> ResultsChanges<SectionTitle>? {
      while !Task.isCancelled, observer != nil {
        if let changes = look() { return changes }
        await waiter.wait(isolation: isolation)
      }
      return nil
    }

    /// How the results differ by now; nil when they do not. Holds the observer only meanwhile.
    private mutating func look() -> ResultsChanges<SectionTitle>? {
      guard let observer, let seen else { return nil }
      observer.changesArrived()
      if observer.version == seen.version { return nil }
      if let touched = observer.models(touchedSince: seen.version),
        let now = SeenResults(observer, after: seen, touched: touched)
      {
        self.seen = now
        return seen.changes(to: now, touched: touched)
      }
      let now = SeenResults(observer)
      self.seen = now
      return seen.changes(to: now)
    }
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "changes are read where their observer belongs, on its context's actor")
extension ResultsChangeSequence: @unchecked Sendable {}

// SAFETY: as above.
@available(*, unavailable, message: "changes are read where their observer belongs, on its context's actor")
extension ResultsChangeSequence.Iterator: @unchecked Sendable {}
