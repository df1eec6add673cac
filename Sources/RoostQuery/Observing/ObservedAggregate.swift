public import RoostCore

extension ModelContext {
  /// A value that the database makes of all rows that match: the one of now, and each other one that it becomes.
  ///
  /// ```swift
  /// for try await unread in context.observe(unreadNotes, .count) { badge = unread }
  /// ```
  /// A change of tables that the value is not made of runs no statement. A slow loop is given the latest value alone.
  /// - Parameters:
  ///   - descriptor: which rows, as for ``aggregate(_:_:)-8oocp``.
  ///   - aggregate: what to make of them.
  /// - Returns: a sequence for loops on the context's actor, which ends when the task is cancelled, and throws what
  ///   ``aggregate(_:_:)-8oocp`` does.
  public func observe<T, Value>(
    _ descriptor: FetchDescriptor<T>, _ aggregate: Aggregate<T, Value>
  ) -> ObservedAggregate<T, Value> where T: PersistentModel, Value: Equatable & Sendable {
    ObservedAggregate(context: self, descriptor: descriptor, aggregate: aggregate)
  }
}

/// A value made of rows, whenever it changes; see ``ModelContext/observe(_:_:)``.
public struct ObservedAggregate<Model, Value>: AsyncSequence where Model: PersistentModel, Value: Equatable & Sendable {
  /// The value.
  public typealias Element = Value
  /// A loop throws what asking for the value does.
  public typealias Failure = any Error

  let context: ModelContext
  let descriptor: FetchDescriptor<Model>
  let aggregate: Aggregate<Model, Value>

  /// A reader that is given the value of now first.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// A reader of the value, for programs that do not read it by a loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let query: ObservedAggregate
    private let watch: TableWatch
    private var seen: Value?

    init(_ query: ObservedAggregate) {
      self.query = query
      watch = TableWatch(query.context)
    }

    /// Gives the value, after the first time once it is another; nil when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async throws -> Value? {
      while !Task.isCancelled {
        if watch.takeChanges() != nil || seen == nil {
          let value = try query.context.aggregate(query.descriptor, query.aggregate, willRead: watch.watch)
          if value != seen {
            seen = value
            return value
          }
        }
        await watch.wait(isolation: isolation)
      }
      return nil
    }
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "the value is made by a context, on its actor")
extension ObservedAggregate: @unchecked Sendable {}

// SAFETY: as above.
@available(*, unavailable, message: "the value is made by a context, on its actor")
extension ObservedAggregate.Iterator: @unchecked Sendable {}
