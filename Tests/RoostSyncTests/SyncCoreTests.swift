@testable import RoostSync
import SyncMerge
import TestSupport
import Testing

/// What a device does next.
@Suite struct SyncCoreTests {
  private var core = SyncCore()

  private mutating func begin() {
    _ = core.step(.start)
    _ = core.step(.began(hasMore: false))
    _ = core.step(.pushed(isEmpty: true))
    _ = core.step(.pulled(isLast: true, cursor: 5))
  }

  @Test mutating func `it begins, sends, fetches, and is done`() {
    #expect(core.step(.start) == [.begin])
    #expect(core.step(.began(hasMore: true)) == [.push])
    #expect(core.step(.pushed(isEmpty: false)) == [.push])
    #expect(core.step(.pushed(isEmpty: true)) == [.pull])
    #expect(core.step(.pulled(isLast: false, cursor: 3)) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 5)).isEmpty)
    #expect(core.isIdle && core.phase == .idle)
  }

  @Test mutating func `one thing is done at a time, and what happens meanwhile is done then`() {
    begin()
    #expect(core.step(.localChange) == [.push])
    #expect(core.step(.localChange).isEmpty)
    #expect(core.step(.head(9)).isEmpty)
    #expect(core.step(.pushed(isEmpty: true)) == [.push])
    #expect(core.step(.pushed(isEmpty: true)) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 9)).isEmpty)
  }

  @Test mutating func `a device that always has something to send fetches all the same`() {
    begin()
    #expect(core.step(.localChange) == [.push])
    _ = core.step(.head(9))
    var effects: [SyncCore.Effect] = []
    for _ in 0..<50 where !effects.contains(.pull) {
      _ = core.step(.localChange)
      effects += core.step(.pushed(isEmpty: false))
    }
    #expect(effects.count > 1 && effects.last == .pull)
    #expect(core.step(.pulled(isLast: true, cursor: 9)) == [.push])
  }

  @Test mutating func `what is to be sent because of what came is sent`() {
    begin()
    #expect(core.step(.head(9)) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 9, hasEdits: true)) == [.push])
    #expect(core.step(.pushed(isEmpty: true)).isEmpty && core.isIdle)
  }

  @Test mutating func `the rows are compared with the server's once all is done, and nobody waits for that`() {
    #expect(core.step(.start) == [.begin])
    #expect(core.step(.began(hasMore: true, hasToCompare: true)) == [.push])
    #expect(core.step(.pushed(isEmpty: true)) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 5)) == [.compare])
    #expect(core.isIdle && core.phase == .idle)
    #expect(core.step(.localChange).isEmpty && !core.isIdle)
    #expect(core.step(.compared(.same)) == [.push])
    #expect(core.step(.pushed(isEmpty: true)).isEmpty && core.isIdle)
  }

  @Test mutating func `rows that are fetched from the start are compared again`() {
    _ = core.step(.start)
    _ = core.step(.began(hasMore: false, hasToCompare: true))
    _ = core.step(.pushed(isEmpty: true))
    _ = core.step(.pulled(isLast: true, cursor: 5))
    #expect(core.step(.compared(.differs(models: ["Book"], isFetchedAnew: true))) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 5)) == [.compare])
    #expect(core.step(.compared(.differs(models: ["Book"], isFetchedAnew: false))).isEmpty && core.isIdle)
  }

  @Test mutating func `a server that cannot compare is not asked again in the session`() {
    _ = core.step(.start)
    _ = core.step(.began(hasMore: false, hasToCompare: true))
    _ = core.step(.pushed(isEmpty: true))
    #expect(core.step(.pulled(isLast: true, cursor: 5)) == [.compare])
    guard case .wait? = core.step(.failed(.later(retryAfter: nil))).first else {
      Issue.record("it does not wait")
      return
    }
    #expect(core.step(.timer) == [.push])
    #expect(core.step(.pushed(isEmpty: true)) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 5)).isEmpty && core.isIdle)
  }

  @Test mutating func `what comes while there is said to be nothing is not taken for that`() {
    begin()
    #expect(core.step(.localChange) == [.push])
    // The push was made before this change.
    #expect(core.step(.localChange).isEmpty)
    #expect(core.step(.pushed(isEmpty: true)) == [.push])
    #expect(core.step(.pushed(isEmpty: true)).isEmpty)
    #expect(core.step(.look) == [.pull])
    #expect(core.step(.look).isEmpty)
    #expect(core.step(.pulled(isLast: true, cursor: 5)) == [.pull])
  }

  @Test
  mutating func `a head that was told by another server than the one that is asked is not asked for again and again`() {
    begin()
    #expect(core.step(.head(9)) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 5)).isEmpty)
    #expect(core.step(.head(12)) == [.pull])
    // This one came after the page was made.
    #expect(core.step(.head(15)).isEmpty)
    #expect(core.step(.pulled(isLast: true, cursor: 5)) == [.pull])
    #expect(core.step(.pulled(isLast: true, cursor: 15)).isEmpty && core.isIdle)
  }

  @Test mutating func `a server that is not reached is asked again, later each time, up to a minute`() {
    var waits: [Double] = []
    var effects = core.step(.start)
    for _ in 0..<10 {
      #expect(effects == [.begin])
      for case .wait(let seconds) in core.step(.failed(.later(retryAfter: nil))) { waits.append(seconds) }
      #expect(core.phase == .waiting && core.step(.localChange).isEmpty)
      effects = core.step(.timer)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 40, 40, 40, 40])
    #expect(core.step(.failed(.later(retryAfter: 90))) == [.wait(90)])
    #expect(core.step(.resume) == [.begin])
  }

  @Test mutating func `a server that is away while nothing is to be sent is asked later each time too`() {
    begin()
    var waits: [Double] = []
    #expect(core.step(.look) == [.pull])
    for _ in 0..<3 {
      for case .wait(let seconds) in core.step(.failed(.later(retryAfter: nil))) { waits.append(seconds) }
      #expect(core.step(.timer) == [.push])
      // Nobody was asked for that.
      #expect(core.step(.pushed(isEmpty: true)) == [.pull])
    }
    #expect(waits == [1, 2, 4])
    _ = core.step(.pulled(isLast: true, cursor: 5))
    #expect(core.step(.look) == [.pull] && core.step(.failed(.later(retryAfter: nil))) == [.wait(1)])
  }

  @Test mutating func `with another account the session begins anew`() {
    begin()
    #expect(core.step(.otherAccount) == [.begin] && !core.isIdle)
    _ = core.step(.began(hasMore: false))
    #expect(core.step(.pushed(isEmpty: true)) == [.pull])
    // What is under way is not the new account's.
    #expect(core.step(.otherAccount).isEmpty)
    #expect(core.step(.pulled(isLast: true, cursor: 5)) == [.begin])
    #expect(core.step(.otherAccount).isEmpty)
    #expect(core.step(.began(hasMore: false)) == [.begin])
    _ = core.step(.failed(.refused("It is another account's.")))
    #expect(core.step(.otherAccount) == [.begin])
  }

  @Test mutating func `what is paused stays so with another account`() {
    begin()
    _ = core.step(.pause)
    #expect(core.step(.otherAccount).isEmpty && core.phase == .paused)
    #expect(core.step(.resume) == [.begin])
  }

  @Test mutating func `what is paused while its rows are compared is shown so`() {
    _ = core.step(.start)
    _ = core.step(.began(hasMore: true, hasToCompare: true))
    _ = core.step(.pushed(isEmpty: true))
    #expect(core.step(.pulled(isLast: true, cursor: 5)) == [.compare] && core.phase == .idle)
    for event in [SyncCore.Event.pause, .resume] {
      #expect(core.step(event).isEmpty && (core.phase == .paused) == (event == .pause))
    }
  }

  @Test mutating func `what came while it was paused is fetched before it is done`() {
    begin()
    _ = core.step(.pause)
    #expect(core.step(.resume) == [.pull] && !core.isIdle)
  }

  @Test mutating func `resuming looks at the server, of which nobody may have told anything`() {
    begin()
    #expect(core.isIdle && core.step(.resume) == [.pull] && !core.isIdle)
  }

  @Test func `a stream that ends at once is begun again later each time, and when the server wants that`() {
    var pauses = ListeningPauses()
    let given = [0, 0.5, 0].map { pauses.next(after: .seconds($0), nil) }
    #expect(given == [[1], [1, 1], [1, 3]])
    #expect(pauses.next(after: .zero, SyncServiceError.busy(retryAfter: 30)) == [30])
    #expect(pauses.next(after: .zero, SyncServiceError.unreachable("")) == [1, 15])
    #expect(pauses.next(after: .seconds(20), nil) == [1])
  }

  @Test func `what waits is counted seldom while one push comes after the other, and whenever that ends`() {
    var pauses = CountingPauses()
    let start = ContinuousClock.now
    #expect(pauses.isDue(at: start, after: .pushed(isEmpty: false)))
    pauses.note(start: start, end: start + .seconds(1))
    for event in [SyncCore.Event.pushed(isEmpty: false), .pulled(isLast: false, cursor: 1)] {
      #expect(
        !pauses.isDue(at: start + .seconds(10), after: event) && pauses.isDue(at: start + .seconds(11), after: event))
    }
    for event in [SyncCore.Event.pushed(isEmpty: true), .pulled(isLast: true, cursor: 1), .localChange, .pause] {
      #expect(pauses.isDue(at: start + .seconds(1), after: event))
    }
  }

  @Test mutating func `what can be mended is mended, and not for ever`() {
    begin()
    _ = core.step(.localChange)
    #expect(core.step(.failed(.clockAhead)) == [.setClock])
    #expect(core.step(.mended) == [.push])
    #expect(core.step(.failed(.otherPush)) == [.takeSite])
    #expect(core.step(.mended) == [.begin])
    #expect(core.step(.began(hasMore: false)) == [.push])
    #expect(core.step(.failed(.otherData)) == [.begin])
    #expect(core.step(.failed(.otherData)) == [.wait(8)])
    #expect(core.step(.timer) == [.begin])
    // It may help by now.
    #expect(core.step(.failed(.otherPush)) == [.takeSite])
  }

  @Test mutating func `a push that is too large is made smaller, and a beginning that is cannot be`() {
    #expect(core.step(.start) == [.begin])
    #expect(core.step(.failed(.tooLarge)) == [.wait(40)])
    #expect(core.phase.isWaiting && core.step(.timer) == [.begin])
    #expect(core.step(.began(hasMore: false)) == [.push])
    #expect(core.step(.failed(.tooLarge)) == [.takeBackLarge])
    #expect(core.step(.mended) == [.push])
  }

  @Test mutating func `while it is paused nothing is begun`() {
    begin()
    #expect(core.step(.localChange) == [.push])
    #expect(core.step(.pause).isEmpty)
    #expect(core.step(.pushed(isEmpty: false)).isEmpty && core.phase == .paused)
    #expect(core.step(.timer).isEmpty && core.step(.head(90)).isEmpty)
    #expect(core.step(.resume) == [.push])
  }

  @Test func `whatever happens, it never stands still with something to do`() {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    for _ in 0..<2_000 {
      var core = SyncCore()
      var (open, waits): (SyncCore.Effect?, Bool) = (nil, false)
      func take(_ effects: [SyncCore.Effect]) {
        for effect in effects {
          if case .wait = effect { waits = true } else { open = effect }
        }
      }
      take(core.step(.start))
      for _ in 0..<40 {
        guard let effect = open, !random.once(in: 3) else {
          take(core.step(random.pick([.localChange, .head(Int64(random.below(20))), .look, .pause, .resume, .start])))
          continue
        }
        open = nil
        take(core.step(Self.outcome(effect, &random)))
      }
      // From here on all goes well.
      take(core.step(.resume))
      var steps = 0
      while let effect = open, steps < 100 {
        open = nil
        steps += 1
        switch effect {
        case .begin: take(core.step(.began(hasMore: false)))
        case .push: take(core.step(.pushed(isEmpty: true)))
        case .pull: take(core.step(.pulled(isLast: true, cursor: 20)))
        default: take(core.step(.mended))
        }
        if open == nil, waits, core.phase.isWaiting {
          waits = false
          take(core.step(.timer))
        }
      }
      #expect(core.isIdle, "\(core)")
      if !core.isIdle { return }
    }
  }

  private static func outcome(_ effect: SyncCore.Effect, _ random: inout SeededRandom) -> SyncCore.Event {
    let failures: [SyncCore.Failure] = [
      .later(retryAfter: nil), .unauthorized, .otherData, .otherPush, .clockAhead, .tooLarge, .refused("so"),
    ]
    if random.once(in: 2) { return .failed(random.pick(failures)) }
    switch effect {
    case .begin: return .began(hasMore: random.once(in: 2))
    case .push: return .pushed(isEmpty: random.once(in: 2), hasToShow: random.once(in: 4))
    case .pull: return .pulled(isLast: random.once(in: 2), cursor: Int64(random.below(20)))
    default: return .mended
    }
  }
}
