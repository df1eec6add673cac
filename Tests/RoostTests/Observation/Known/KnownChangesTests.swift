import Foundation
import Testing

/// Random interleavings of writers and observers: what observers show is what a fetch
/// finds, and history tells the rest.
@Suite(.timeLimit(.minutes(60))) @MainActor struct KnownChangesTests {
  /// More of them in `make soak`.
  private static let interleavings = ProcessInfo.processInfo.environment["ROOST_INTERLEAVINGS"].flatMap { Int($0) }
  private static let length = 25

  @Test func `whoever writes, every observer knows, and history leads from any place to the rows`() async throws {
    let (seed, count) = (SeededRandom.seed, Self.interleavings ?? 200)
    print("ROOST_SEED=\(seed) ROOST_INTERLEAVINGS=\(count)")
    var random = SeededRandom(seed: seed)
    let tally = KnownTally()
    for number in 0..<count {
      let program = (0..<Self.length).map { _ in KnownStep(&random) }
      guard let failure = try await failure(of: program, tally) else { continue }
      let shortest = try await smallest(program) { try await self.failure(of: $0, tally) != nil }
      let last = try await self.failure(of: shortest, tally)
      let steps = shortest.map(\.description).joined(separator: "; ")
      Issue.record("seed \(seed), interleaving \(number): \(failure)\n\(steps): \(last ?? "")")
      return
    }
    print("interleavings: \(tally.description)")
    // It tested something: each kind of observer was told of changes, and each kind of change was replayed.
    if count >= 100 { #expect(tally.areAll(atLeast: count / 4), "\(tally.description)") }
  }

  /// Those that random interleavings shrank to.
  @Test(arguments: [
    "shell 609; save 929 258 88", "delete 520 556 449; assignChildren 794 327 475; look 479; save 580 446 59",
    "delete 370 134 360; look 543; saveFresh 540 488 941; erase 609 61 509",
    """
    elsewhereInsert 993 601 877; assignLocks 283 277 214; fetch 781 856 950; deleteByIdentifier 43 505 719; \
    setParent 21 588 138; saveFresh 286 35 786
    """,
    "insertUnder 818 572 815; look 33; draftSave 988 915 906; elsewhereDelete 541 868 455",
  ])
  func `interleavings that failed once agree`(program: String) async throws {
    let steps = try program.split(separator: "; ").map { try #require(KnownStep($0)) }
    let found = try await failure(of: steps, KnownTally())
    #expect(found == nil, "\(found ?? "")")
  }

  /// What goes wrong; nil if nothing does.
  private func failure(of program: [KnownStep], _ tally: KnownTally) async throws -> String? {
    let walk = try KnownWalk(tally)
    do {
      for step in program { try await walk.run(step) }
      try await walk.checkAll()
      return nil
    } catch {
      return (error as? SharedMismatch)?.message ?? "\(error)"
    }
  }
}
