/// How often what waits is counted, which takes the longer the more waits.
struct CountingPauses {
  private var last: (end: ContinuousClock.Instant, cost: Duration)?

  /// Whether to count it now: a tenth of the time at most while one push, or page, comes after the other.
  func isDue(at now: ContinuousClock.Instant, after event: SyncCore.Event) -> Bool {
    guard let last else { return true }
    switch event {
    case .pushed(isEmpty: false, _), .pulled(isLast: false, _, _): return now - last.end >= last.cost * 10
    default: return true
    }
  }

  mutating func note(start: ContinuousClock.Instant, end: ContinuousClock.Instant) { last = (end, end - start) }
}
