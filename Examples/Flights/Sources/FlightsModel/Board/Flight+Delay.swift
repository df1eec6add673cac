extension Flight {
  /// Has a flight that leaves do so later, and arrive later by as much.
  func delay(by minutes: Int) {
    departureTime = departureTime.map { Self.clockTime($0, plus: minutes) }
    departureDelay = departureDelay.map { $0 + minutes }
    arrivalTime = arrivalTime.map { Self.clockTime($0, plus: minutes) }
    arrivalDelay = arrivalDelay.map { $0 + minutes }
  }

  /// Has it not leave at all.
  func cancel() {
    (departureTime, departureDelay, arrivalTime, arrivalDelay, airTime) = (nil, nil, nil, nil, nil)
  }

  /// Hours and minutes as one number, 2350 plus 20 being 10.
  private static func clockTime(_ time: Int, plus minutes: Int) -> Int {
    let later = (time / 100 * 60 + time % 100 + minutes) % (24 * 60)
    return later / 60 * 100 + later % 60
  }
}
