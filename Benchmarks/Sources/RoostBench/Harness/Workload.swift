import Foundation

/// One kind of work, and the ways to do it that are compared.
struct Workload {
  var name: String
  var variants: [Variant]
}

/// One way to do a workload.
struct Variant {
  var name: String
  /// Makes ready in the folder given what all rounds share, untimed, and returns how to do one round.
  var prepare: (URL) throws -> Round

  init(_ name: String, _ prepare: @escaping (URL) throws -> Round) {
    self.name = name
    self.prepare = prepare
  }
}

/// Does the work once, checks the result, and returns the time that the work alone took.
typealias Round = () throws -> Duration

/// The time that some work takes, and that freeing its result takes: a program pays for both. The check is not timed.
func timed<Output>(_ work: () throws -> Output, check: (Output) throws -> Void) throws -> Duration {
  let clock = ContinuousClock()
  var output: Output?
  let working = try clock.measure { output = try work() }
  // A scope of its own, so that `output` has the last reference again when the clock goes on.
  if let output { try check(output) }
  let freeing = clock.measure { output = nil }
  return working + freeing
}
