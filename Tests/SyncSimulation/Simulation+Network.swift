import RoostSync
import SyncMerge
import TestSupport

// What a network does with requests and answers.
extension Simulation {
  /// Carries what a device asked, or what it is answered, or loses it.
  mutating func carry(_ device: SimulatedDevice) throws {
    if !late.isEmpty, random.once(in: 6) { deliverLate() }
    if device.hasWork { return try process(device) }
    guard let exchange = device.exchange else { return nudge(device) }
    if exchange.answer == nil {
      device.exchange?.answer = answer(device, exchange.request)
    } else {
      try takeAnswer(device)
    }
  }

  /// Has a device do what it has to, for as long as nothing comes between.
  private mutating func process(_ device: SimulatedDevice) throws {
    let fault = diskFault(device)
    repeat { device.process(&random) } while device.hasWork && !random.once(in: 3)
    if let fault { try mend(device, fault) }
  }

  /// A request that comes a second time, or whose sender does not wait for it any more.
  private mutating func deliverLate() {
    let (request, user) = late.remove(at: random.below(late.count))
    trace("late: \(request)")
    _ = ask(request, user)
  }

  private mutating func answer(_ device: SimulatedDevice, _ request: SyncRequest) -> Result<SyncAnswer, any Error> {
    if case .push = request, random.once(in: 40) {
      // What is in front of the server takes less than that says. The server may have it of before.
      trace("\(name(device)) is refused \(request)")
      return .failure(SyncServiceError.tooLarge)
    }
    if random.once(in: 10) { late.append((request, device.user)) }
    if isAway || device.unreachableUntil > now || random.once(in: 12) {
      counts.lost += 1
      return .failure(SyncServiceError.unreachable("the network is gone"))
    }
    switch random.below(60) {
    case 0: return .failure(SyncServiceError.unauthorized)
    case 1: return .failure(SyncServiceError.busy(retryAfter: random.once(in: 2) ? nil : Double(random.below(100))))
    case 2: return .failure(SyncServiceError.failed("it has no memory"))
    case 3: return .failure(SyncServiceError.malformed("it ends too soon"))
    default: break
    }
    if faults == .data, random.once(in: 20),
      let stale = try? server.staleAnswer(request, of: device.user, pageLimit: 5, now: now)
    {
      trace("\(name(device)) hears from a node that is behind")
      return .success(stale)
    }
    let answer = ask(request, device.user)
    trace("\(name(device)) asks \(request)\n  -> \(answer)")
    if random.once(in: 8) {
      counts.lost += 1
      return .failure(SyncServiceError.unreachable("the answer is lost"))
    }
    return answer
  }

  /// Has the server answer, and tell its other devices if anything changed.
  mutating func ask(_ request: SyncRequest, _ user: String) -> Result<SyncAnswer, any Error> {
    let before = server.zone(user).storage.place
    let answer = Result {
      try server.answer(request, of: user, identity: random.next() | 1, pageLimit: 1 + random.below(9), now: now)
    }
    let place = server.zone(user).storage.place
    if place != before {
      for device in devices
      where device.user == user && !isAway && device.unreachableUntil <= now && !random.once(in: 6) {
        device.take(.head(place.sequence))
      }
    }
    return answer
  }

  private mutating func takeAnswer(_ device: SimulatedDevice) throws {
    let before = try Self.traces ? device.machine.contents(.common) : [:]
    let fault = diskFault(device)
    device.takeAnswer()
    if let fault { try mend(device, fault) }
    try trace("\(name(device)) shows \(Self.difference(before, try device.machine.contents(.common)))")
  }

  /// What makes a device go on that waits, or has nothing to do.
  private mutating func nudge(_ device: SimulatedDevice) {
    device.take(random.pick([.look, .start, .resume, .localChange]))
  }
}
