internal import SQLiteLibrary

extension Connection {
  /// Adds an aggregate function, with a state for each group; what it throws makes the statement fail.
  package func addAggregate<State>(
    _ name: String, arguments: Int32, isDeterministic: Bool = true,
    makeState: @escaping @Sendable () -> State,
    step: @escaping @Sendable (inout State, FunctionArguments) throws -> Void,
    finish: @escaping @Sendable (State) throws -> DatabaseValue
  ) {
    guard let database = state.database else { return }
    let aggregate = Aggregate { TypedAggregateRun(makeState(), step, finish) }
    let code = sqlite3_create_function_v2(
      database, name, arguments, flags(isDeterministic), retained(aggregate), nil,
      { context, count, values in
        guard let run = AggregateRun.current(context, makesOne: true) else {
          sqlite3_result_error_nomem(context)
          return
        }
        do {
          try run.step(FunctionArguments(count, values))
        } catch {
          FunctionContext.fail(context, error)
        }
      },
      { context in
        // A group of no rows has had no step, and so has no state yet.
        let started = AggregateRun.current(context, makesOne: false)
        guard let run = started ?? Aggregate.from(sqlite3_user_data(context))?.makeRun() else { return }
        if !run.hasFailed { FunctionContext.report(to: context, run.finish) }
        AggregateRun.discard(context)
      },
      { Aggregate.release($0) })
    noteRegistration(code, "aggregate", name)
  }
}

/// An aggregate function.
final class Aggregate: CallbackObject {
  let makeRun: () -> AggregateRun

  init(makeRun: @escaping () -> AggregateRun) {
    self.makeRun = makeRun
  }
}

/// An aggregate function at work on one group.
class AggregateRun {
  /// Whether a step threw, after which SQLite still asks for an end.
  var hasFailed = false

  func step(_ arguments: FunctionArguments) throws {}
  func finish() throws -> DatabaseValue { .null }

  /// The run of the group that SQLite is working on.
  static func current(_ context: OpaquePointer?, makesOne: Bool) -> AggregateRun? {
    guard let slot = slot(context, allocates: makesOne) else { return nil }
    if let run = slot.pointee { return Unmanaged<AggregateRun>.fromOpaque(run).takeUnretainedValue() }
    // SAFETY: `discard` balances this, once for each group.
    guard makesOne, let run = Aggregate.from(sqlite3_user_data(context))?.makeRun() else { return nil }
    slot.pointee = Unmanaged.passRetained(run).toOpaque()
    return run
  }

  /// Releases the run of the group that SQLite is done with.
  static func discard(_ context: OpaquePointer?) {
    guard let slot = slot(context, allocates: false), let run = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<AggregateRun>.fromOpaque(run).release()
  }

  /// The memory SQLite keeps for a group: one reference, at first zero.
  private static func slot(
    _ context: OpaquePointer?, allocates: Bool
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    let size = allocates ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
    // SAFETY: SQLite gives zeroed memory of that size, aligned for a pointer and the same at every call for a group. It
    // calls the end exactly once for each group that had a step, even after a failure, and so `discard` balances.
    return sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}

/// An aggregate function at work, with its state.
private final class TypedAggregateRun<State>: AggregateRun {
  private var state: State
  private let stepBody: (inout State, FunctionArguments) throws -> Void
  private let finishBody: (State) throws -> DatabaseValue

  init(
    _ state: State, _ step: @escaping (inout State, FunctionArguments) throws -> Void,
    _ finish: @escaping (State) throws -> DatabaseValue
  ) {
    self.state = state
    stepBody = step
    finishBody = finish
  }

  override func step(_ arguments: FunctionArguments) throws {
    do {
      try stepBody(&state, arguments)
    } catch {
      hasFailed = true
      throw error
    }
  }

  override func finish() throws -> DatabaseValue { try finishBody(state) }
}
