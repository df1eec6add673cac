/// An actor with a context of its own. Conform with `@ModelActor`, never by hand.
///
/// ```swift
/// @ModelActor actor Importer {
///   func importNotes(_ titles: [String]) throws {
///     for title in titles { modelContext.insert(Note(title: title)) }
///     try modelContext.save()
///   }
/// }
/// ```
/// Source: SwiftData's `ModelActor`.
public protocol ModelActor: Actor {
  /// The container the actor works on.
  nonisolated var modelContainer: ModelContainer { get }
  /// What runs the actor's code; reach the context through `modelContext` instead.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  /// The executor that runs the actor's code: ``modelExecutor``, or the main actor's if that is not a serial one.
  ///
  /// ``DefaultSerialModelExecutor`` has a queue of its own, whoever made the actor.
  nonisolated public var unownedExecutor: UnownedSerialExecutor {
    guard let executor = modelExecutor as? any SerialModelExecutor else { return MainActor.sharedUnownedExecutor }
    return executor.asUnownedSerialExecutor()
  }

  /// The actor's context.
  public var modelContext: ModelContext {
    let context = modelExecutor.modelContext
    // It shows what others have written in this actor's turns.
    context.bareCore.belong(to: self)
    return context
  }

  /// The actor's model with an identifier, or nil when it is of another type.
  public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
    modelContext.model(for: id) as? T
  }
}
