import FaultyDisk
import Foundation
import Roost
import RoostSync
import SyncMerge
import TestSupport

/// A device: a store, what decides when to ask the server, and what was asked.
final class SimulatedDevice {
  /// A question, and once the server has said something, what.
  struct Exchange {
    let request: SyncRequest
    var answer: Result<SyncAnswer, any Error>?
  }

  var machine: Machine
  let disk: FaultyDisk
  private(set) var core = SyncCore()
  /// What the core has yet to hear.
  private var events: [SyncCore.Event] = []
  /// What came of what was done last, of which the core has yet to hear.
  private var outcome: SyncCore.Event?
  var exchange: Exchange?
  /// When to wake the core, in milliseconds since 1970.
  private(set) var timer: UInt64?
  /// Whose token it has.
  var user: String
  /// How far its clock is wrong, in milliseconds.
  var clockError: Int64 = 0
  /// Until when it has no network.
  var unreachableUntil: UInt64 = 0
  /// What went wrong last.
  private(set) var failure: (any Error)?
  private var serverTime: UInt64 = 0
  /// The models whose rows were not what the server has.
  private(set) var differing: [String] = []

  init(_ machine: Machine, on disk: FaultyDisk, user: String) {
    (self.machine, self.disk, self.user) = (machine, disk, user)
  }

  func setTime(_ now: UInt64) { machine.now = UInt64(max(0, Int64(now) + clockError)) }

  /// Has the core told of something, once it has heard of what came before.
  func take(_ event: SyncCore.Event) { events.append(event) }

  /// Whether the core has yet to hear of something.
  var hasWork: Bool { !events.isEmpty || outcome != nil }

  /// Tells the core the next thing, and does what it says, as an engine does.
  func process(_ random: inout SeededRandom) {
    // What happened while something was done may be told before what came of it.
    if let outcome, events.isEmpty || random.once(in: 2) {
      events.append(outcome)
      self.outcome = nil
    }
    if events.isEmpty { return }
    let event = events.removeFirst()
    let effects = core.step(event)
    if event == .localChange, effects.isEmpty { try? machine.synced.noteChanges(now: machine.now) }
    for effect in effects { outcome = perform(effect, &random) ?? outcome }
  }

  private func perform(_ effect: SyncCore.Effect, _ random: inout SeededRandom) -> SyncCore.Event? {
    if case .wait(let seconds) = effect {
      timer = machine.now + UInt64(seconds * Double(1_000 + random.below(500)))
      return nil
    }
    do {
      let step = try machine.synced.perform(
        effect, random: random.next(), serverTime: serverTime, now: machine.now)
      switch step {
      case .done(let event): return event
      case .ask(let request): exchange = Exchange(request: request)
      }
      return nil
    } catch {
      failure = error
      return .failed(SyncCore.Failure(error))
    }
  }

  /// Takes what the server has answered.
  func takeAnswer() {
    guard let exchange, let answer = exchange.answer else { return }
    self.exchange = nil
    do {
      let event = try machine.synced.take(try answer.get(), to: exchange.request, now: machine.now)
      if case .compared(.differs(let models, _)) = event { differing += models }
      take(event)
    } catch {
      failure = error
      if case SyncZoneError.clockAhead(let now) = error { serverTime = now }
      take(.failed(SyncCore.Failure(error)))
    }
  }

  /// Wakes the core if it is time.
  func wake() {
    guard let timer, timer <= machine.now else { return }
    self.timer = nil
    take(.timer)
  }

  /// The program ended, and starts again on the file as it is.
  func restart(
    _ version: (any VersionedSchema.Type)? = nil, unsynced: Set<String> = [], _ random: inout SeededRandom
  ) throws {
    start(try machine.reopened(random: random.next(), version, unsynced: unsynced))
  }

  func start(_ machine: Machine) {
    self.machine = machine
    beginAnew()
  }

  /// Begins another session.
  func beginAnew() {
    (core, events, outcome, exchange, timer) = (SyncCore(), [.start], nil, nil, nil)
  }
}
