import Foundation
import Testing

/// Random programs in which several contexts, a draft, an undo manager, observers and another program use one store.
@Suite struct SharedTests {
  @Test func `whoever writes, contexts show what is stored and saves change what they may`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = SeededRandom.seed
    let steps = environment["ROOST_STEPS"].flatMap { Int($0) } ?? 2_000
    let length = 40
    print("ROOST_SEED=\(seed) ROOST_STEPS=\(steps)")
    var random = SeededRandom(seed: seed)
    var counts = (saves: 0, stale: 0, refusals: 0)
    for number in 0..<(steps / length) {
      let program = (0..<length).map { _ in SharedStep(&random) }
      let (failure, walk) = try run(program)
      counts = (counts.saves + walk.saves, counts.stale + walk.staleSaves, counts.refusals + walk.refusals)
      guard let failure else { continue }
      let shortest = try await smallest(program) { try run($0).failure != nil }
      let steps = shortest.map(\.description).joined(separator: "; ")
      Issue.record("seed \(seed), program \(number): \(failure)\n\(steps): \(try run(shortest).failure ?? "")")
      return
    }
    // A walk that saves nothing, or only what it has just fetched, shows nothing.
    #expect(counts.saves > steps / 40 && counts.stale > steps / 80 && counts.refusals > 0)
  }

  private func run(_ program: [SharedStep]) throws -> (failure: String?, walk: SharedWalk) {
    let walk = try SharedWalk()
    do {
      for step in program { try walk.run(step) }
      try walk.checkAll()
      return (nil, walk)
    } catch {
      return ("\((error as? SharedMismatch)?.message ?? "\(error)")", walk)
    }
  }
}
