public import RoostCore

extension ModelContext {
  /// The models that match a descriptor: those of now, and again whenever they are others or have other values.
  ///
  /// ```swift
  /// for await notes in try context.observe(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)])) { show(notes) }
  /// ```
  /// It is what a ``ResultsObserver`` finds, for programs that need no observer, in one loop or several. A slow loop
  /// gets the latest models alone. A fetch that fails later is logged, and the models stay.
  /// - Parameter descriptor: what to fetch, as ``fetch(_:)`` does.
  /// - Returns: a sequence for loops on the context's actor, which ends when the task is cancelled.
  /// - Throws: what ``fetch(_:)`` does.
  public func observe<T>(_ descriptor: FetchDescriptor<T>) throws -> ObservedResults<T> where T: PersistentModel {
    ObservedResults(observer: try ResultsObserver(fetchDescriptor: descriptor, modelContext: self, isolation: nil))
  }
}

/// The models that match a descriptor, whenever they change; see ``ModelContext/observe(_:)->ObservedResults<T>``.
public struct ObservedResults<Model>: AsyncSequence where Model: PersistentModel {
  /// The models in their order.
  public typealias Element = [Model]
  /// A loop never throws.
  public typealias Failure = Never

  let observer: ResultsObserver<Model, Never>

  /// A reader that is given the models of now first.
  public func makeAsyncIterator() -> Iterator { Iterator(observer: observer) }

  /// A reader of the models, for programs that do not read them by a loop.
  public struct Iterator: AsyncIteratorProtocol {
    let observer: ResultsObserver<Model, Never>
    private var changes: ResultsChangeSequence<Model, Never>.Iterator?

    init(observer: ResultsObserver<Model, Never>) { self.observer = observer }

    /// Gives the models, after the first time once they changed; nil when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> [Model]? {
      if Task.isCancelled { return nil }
      guard var changes else {
        let models = Array(observer.results)
        changes = observer.changes.makeAsyncIterator()
        return models
      }
      let found = await changes.next(isolation: isolation)
      self.changes = changes
      return found == nil ? nil : observer.models
    }
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "the models belong to their context's actor")
extension ObservedResults: @unchecked Sendable {}

// SAFETY: as above.
@available(*, unavailable, message: "the models belong to their context's actor")
extension ObservedResults.Iterator: @unchecked Sendable {}
