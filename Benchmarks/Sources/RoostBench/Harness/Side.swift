import Foundation
import Synchronization

/// What one thread has done: rows, and the time that they took.
struct Side: Sendable {
  var rows: Int
  var time: Duration

  var rowsPerSecond: Double { Double(rows) / (time / .seconds(1)) }
}

/// Runs each piece of work on a thread of its own, all from the same moment on.
///
/// A piece of work is made ready on its thread, before the clock runs, and returns how many rows it went through.
func runBesideEachOther(_ works: [@Sendable () throws -> () throws -> Int]) throws -> [Side] {
  let results = Results(count: works.count)
  let (ready, start, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  for (index, makeReady) in works.enumerated() {
    Thread.detachNewThread {
      results.set(
        index,
        Result {
          // Also where it throws: the others wait for everyone.
          let work = Result { try makeReady() }
          ready.signal()
          start.wait()
          var rows = 0
          let time = try ContinuousClock().measure { rows = try work.get()() }
          return Side(rows: rows, time: time)
        })
      done.signal()
    }
  }
  for _ in works { ready.wait() }
  for _ in works { start.signal() }
  for _ in works { done.wait() }
  return try results.all()
}

private final class Results: Sendable {
  private let results: Mutex<[Result<Side, any Error>?]>

  init(count: Int) {
    results = Mutex(Array(repeating: nil, count: count))
  }

  func set(_ index: Int, _ result: Result<Side, any Error>) {
    results.withLock { $0[index] = result }
  }

  func all() throws -> [Side] {
    try results.withLock { results in try results.compactMap { try $0?.get() } }
  }
}
