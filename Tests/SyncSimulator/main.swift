import Foundation
import Logging
import Synchronization
import SyncSimulation
import TestSupport

// Runs schedules of devices that are synced, in all of the machine's cores, until one fails:
// `SyncSimulator [SCHEDULES] [SEED]`. Each has its seed, by which `ROOST_SEED` runs it alone.

// That a later program drops a property is no news.
LoggingSystem.bootstrap { label in
  var handler = StreamLogHandler.standardError(label: label)
  handler.logLevel = .critical
  return handler
}

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let (schedules, seed) = (arguments.first ?? 2_000, arguments.dropFirst().first ?? SeededRandom.seed)
let next = Atomic<UInt64>(0)
let failures = Mutex<[String]>([])
let counts = Mutex(Simulation.Counts())
print("ROOST_SEED=\(seed), \(schedules) schedules")

DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
  while failures.withLock({ $0.isEmpty }) {
    let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
    if place >= schedules { return }
    if place % 1_000 == 999 { FileHandle.standardOutput.write(Data("\(place + 1) schedules\n".utf8)) }
    let faults: Simulation.Faults = place % 2 == 0 ? .outside : .data
    let (more, problem) = Simulation.run(seed: seed &+ place, schedule: seed &+ place, faults: faults)
    counts.withLock { $0 += more }
    if let problem { failures.withLock { $0.append("seed \(seed &+ place), \(faults): \(problem)") } }
  }
}

print(counts.withLock { "\($0)" })
for failure in failures.withLock({ $0 }) { print(failure) }
exit(failures.withLock { $0.isEmpty } ? 0 : 1)
