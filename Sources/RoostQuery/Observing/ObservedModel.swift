import Logging
public import RoostCore

extension ModelContext {
  /// A model of this context, again and again: whenever it has other values, by an edit here or a save elsewhere.
  ///
  /// ```swift
  /// show(note)
  /// for await note in context.observe(note) { show(note) }
  /// close()   // the note was deleted
  /// ```
  /// Values are those that ``ResultsChanges`` tells updates by. A slow loop is given the model once for many changes.
  /// - Returns: a sequence for loops on the context's actor, which ends when the model is deleted or leaves the
  ///   context, or the task is cancelled; at once for a model that is not of this context.
  public func observe<T>(_ model: T) -> ObservedModel<T> where T: PersistentModel {
    ObservedModel(model: model, context: self)
  }
}

/// A model, whenever it has other values; see ``ModelContext/observe(_:)->ObservedModel<T>``.
public struct ObservedModel<Model>: AsyncSequence where Model: PersistentModel {
  /// The model, always the same.
  public typealias Element = Model
  /// A loop never throws: reading a row that is damaged is logged, and the values stay.
  public typealias Failure = Never

  let model: Model
  let context: ModelContext

  /// A reader that knows the values of now.
  public func makeAsyncIterator() -> Iterator { Iterator(model, context) }

  /// A reader of the model, for programs that do not read it by a loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let given: Model
    private let watch: TableWatch
    private var seen: Int
    /// Whether the row could not be read when it was to be.
    private var isUnread = false

    init(_ model: Model, _ context: ModelContext) {
      given = model
      watch = TableWatch(context, Self.tables(of: model._$registered, in: context.core))
      seen = model._$registered._$digest()
    }

    /// The model given, or the one that the row has by now that it was merged into.
    private var model: Model { given._$registered }

    private static func tables(of model: Model, in core: ContextCore) -> Set<String> {
      model._$state.core === core ? [core.schema.entities[model._$state.ordinal].table] : []
    }

    /// Waits until the model has other values than at the last time; nil once it is gone, or the task cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Model? {
      while !Task.isCancelled {
        if let written = watch.takeChanges() { readAgain(written) }
        if model.isDeleted || model._$state.core !== watch.context.core { return nil }
        let digest = model._$digest()
        if digest != seen {
          seen = digest
          return model
        }
        await watch.wait(isolation: isolation)
      }
      return nil
    }

    /// Gives the model what others wrote to its row, which has all that its values are made of.
    private mutating func readAgain(_ written: OthersWrites) {
      let core = watch.context.core
      // A draft's model is a copy of its parent's, whose edits are others' too.
      let mayBeOther = core.parent != nil || written.mayInclude(model._$state.key, of: watch.ordinals)
      guard mayBeOther || isUnread else { return }
      do {
        try core.tellingChanges(of: [model]) { try core.readAgain([model]) }
        isUnread = false
      } catch {
        isUnread = true
        watch.context.store.logger.error(
          "Observing failed; the model stays as it was", metadata: ["model": "\(Model.self)", "error": "\(error)"])
      }
    }
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "a model belongs to its context's actor")
extension ObservedModel: @unchecked Sendable {}

// SAFETY: as above.
@available(*, unavailable, message: "a model belongs to its context's actor")
extension ObservedModel.Iterator: @unchecked Sendable {}
