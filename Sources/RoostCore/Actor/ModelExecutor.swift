import Dispatch

/// An executor that owns a context.
public protocol ModelExecutor: Executor {
  /// The context that the executor's actor works on.
  var modelContext: ModelContext { get }
}

/// An executor that owns a context and runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// Runs an actor's jobs one after another on a queue of its own.
public class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
  // SAFETY: the context is only reached from jobs, which the serial queue runs one at a time.

  public final let modelContext: ModelContext
  private let queue = DispatchQueue(label: "roost.model-actor")

  /// Makes an executor with a queue of its own.
  ///
  /// - Parameter modelContext: the actor's context, used by nobody else.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    modelContext.handOver()
  }

  /// Runs a job of the actor after those before it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
