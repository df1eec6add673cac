internal import Foundation

/// Some thousand intervals that do not overlap, to be found by the dates in them.
struct KnownIntervals {
  /// As many days as eleven years have.
  private static let limit = 4_096
  /// Ascending.
  private var intervals: [DateInterval] = []

  /// The one that a date is in.
  func interval(of date: Date) -> DateInterval? {
    let count = countOfBegun(by: date)
    guard count > 0, date < intervals[count - 1].end else { return nil }
    return intervals[count - 1]
  }

  /// Adds one; forgets all others when there are too many.
  mutating func insert(_ interval: DateInterval) {
    if intervals.count >= Self.limit { intervals.removeAll(keepingCapacity: true) }
    intervals.insert(interval, at: countOfBegun(by: interval.start))
  }

  /// How many begin at a date or before.
  private func countOfBegun(by date: Date) -> Int {
    var (low, high) = (0, intervals.count)
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].start <= date { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
