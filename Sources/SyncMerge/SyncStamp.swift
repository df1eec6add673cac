/// When something was written: later than all that its writer had seen, whatever the clocks say.
///
/// Source: Kulkarni and others, [Logical Physical Clocks](https://cse.buffalo.edu/tech-reports/2014-04.pdf).
package struct SyncStamp: Hashable, Sendable, Comparable {
  /// Milliseconds since 1970, and below them 16 bits that count within one.
  package var time: UInt64
  /// The store that wrote it; the last of several. No two edits' stamps are equal, but those of
  /// rows that were deleted together.
  package var site: UInt64

  package init(time: UInt64, site: UInt64) { (self.time, self.site) = (time, site) }

  package static func < (left: SyncStamp, right: SyncStamp) -> Bool {
    (left.time, left.site) < (right.time, right.site)
  }
}

extension SyncStamp {
  /// Before all that is written: of what nobody wrote, such as a reference that is none as its row is gone. It gives
  /// way to any edit whose writer did not know of it.
  package static func first(of site: UInt64) -> SyncStamp { SyncStamp(time: 0, site: site) }

  /// Of what somebody may have written, and nobody knows when: before all whose times are known.
  package static func unknown(of site: UInt64) -> SyncStamp { SyncStamp(time: 1, site: site) }

  /// Of what was there at a place of an order that is not the zone's any more, and nobody knows since when: before all
  /// whose times are known, and the later the later the place.
  package static func lost(at sequence: Int64, of site: UInt64) -> SyncStamp {
    SyncStamp(time: min(2 + UInt64(max(0, sequence)), lastLost), site: site)
  }

  /// Some days after the time that clocks count from.
  private static let lastLost: UInt64 = 1 << 46

  /// Whether it is one of these.
  package var isTimeless: Bool { time <= Self.lastLost }

  /// Whether it is one of the last.
  var isLost: Bool { time >= 2 && isTimeless }

  /// Whether the device that wrote at this time knew of what was written at a place of the zone's order: it had seen
  /// up to there, or wrote it itself.
  func hasSeen(_ other: SyncStamp, at sequence: Int64, base: Int64) -> Bool {
    sequence <= base || other.site == site && other <= self
  }
}

/// What gives stamps.
package struct SyncClock: Hashable, Sendable, Codable {
  package let site: UInt64
  /// The time of the last stamp that was given or seen.
  package private(set) var last: UInt64 = 0

  package init(site: UInt64, last: UInt64 = 0) { (self.site, self.last) = (site, last) }

  /// A stamp after all before. `now`: milliseconds since 1970, by a clock that may go wrong.
  package mutating func stamp(now: UInt64) -> SyncStamp {
    last = max(Self.time(now), last < .max ? last + 1 : last)
    return SyncStamp(time: last, site: site)
  }

  /// Takes note of a stamp, so that the next ones are later.
  package mutating func see(_ stamp: SyncStamp) { last = max(last, stamp.time) }

  /// Whether a stamp is of so late a time that its writer's clock must be wrong, or would spoil others'.
  ///
  /// - Parameters:
  ///   - stamp: what was sent.
  ///   - now: milliseconds since 1970.
  ///   - tolerance: how many milliseconds clocks may differ.
  /// - Returns: false for any stamp of before.
  package static func isAhead(_ stamp: SyncStamp, now: UInt64, tolerance: UInt64) -> Bool {
    stamp.time > time(now.addingReportingOverflow(tolerance).overflow ? .max : now + tolerance)
  }

  private static func time(_ milliseconds: UInt64) -> UInt64 { min(milliseconds, .max >> 16) << 16 }
}
