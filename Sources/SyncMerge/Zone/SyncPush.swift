/// What a device sends: edits that are taken together or not at all.
package struct SyncPush: Hashable, Sendable {
  package let site: UInt64
  /// Its place among the site's pushes, from 1. A device sends the next one once this is answered.
  package let number: Int64
  /// What tells it from another of its number, which a copy of the device may have made.
  package let identity: UInt64
  /// The last place that the device has seen.
  package var seen: SyncPlace
  package var edits: [SyncEdit]

  package init(site: UInt64, number: Int64, identity: UInt64 = 0, seen: SyncPlace = .start, edits: [SyncEdit]) {
    (self.site, self.number, self.identity, self.seen, self.edits) = (site, number, identity, seen, edits)
  }
}

/// What the server answers to a push, the first time and whenever it comes again.
package struct SyncPushAnswer: Hashable, Sendable {
  package var number: Int64
  /// The rows that the push is about, as they are now: also those that it did not change.
  package var records: [SyncRecord]
  /// The sequence behind which the rows are that there is no room for, which a device that has seen more asks for
  /// again: the push may have changed nothing of them. nil where all are in ``records``.
  package var rest: Int64?
  /// What it met.
  package var conflicts: [SyncConflict]
  /// The zone's last place.
  package var place: SyncPlace

  package init(
    number: Int64, records: [SyncRecord], rest: Int64? = nil, conflicts: [SyncConflict], place: SyncPlace
  ) {
    (self.number, self.records, self.rest) = (number, records, rest)
    (self.conflicts, self.place) = (conflicts, place)
  }
}

/// A site's last push that was taken.
package struct SyncTakenPush: Hashable, Sendable {
  package var number: Int64
  package var identity: UInt64
  /// What it met.
  package var conflicts: [SyncConflict]

  package init(number: Int64, identity: UInt64, conflicts: [SyncConflict] = []) {
    (self.number, self.identity, self.conflicts) = (number, identity, conflicts)
  }
}

/// Which of a site's pushes one is, and that it is no other device's of that number, as a copy of a store may make one.
package struct SyncPushID: Hashable, Sendable {
  package var number: Int64
  package var identity: UInt64

  package init(number: Int64, identity: UInt64) { (self.number, self.identity) = (number, identity) }

  /// What a site has that never pushed.
  package static let none = SyncPushID(number: 0, identity: 0)
}

/// Rows that changed behind a place of the zone's order, in its order.
package struct SyncPage: Hashable, Sendable {
  /// Each once, as it is now.
  package var records: [SyncRecord]
  /// The sequence to ask from next.
  package var cursor: Int64
  /// Whether there is nothing behind that now.
  package var isLast: Bool
  /// The asking site's last push, which the records have in them.
  package var taken: SyncPushID
  /// The zone's last place.
  package var place: SyncPlace

  package init(records: [SyncRecord], cursor: Int64, isLast: Bool, taken: SyncPushID, place: SyncPlace) {
    self.records = records
    self.cursor = cursor
    self.isLast = isLast
    self.taken = taken
    self.place = place
  }
}

/// Why a zone refuses what a device asks.
package enum SyncZoneError: Error, Hashable, Sendable, Codable {
  /// Pushes before this one are missing: the device is to send the one of this number.
  case missingPush(Int64)
  /// Another push of this number was taken, a copy of the device's: the device is to take another site.
  case otherPush
  /// An edit's stamp is later than the server's time, milliseconds since 1970, allows: the device is to write its edits
  /// that the server does not have with stamps of that time.
  case clockAhead(now: UInt64)
  /// The device has seen another place than there is, or names classes and fields by numbers that there are not,
  /// as an older copy of the server's data was put back, or a place of so long ago that the zone has forgotten
  /// it: the session is to begin anew.
  case unknownPlace
  /// The server speaks other versions of the protocol.
  case unknownVersion(newest: Int)
  /// A class is below another one in one program, and is one of its own in another: its rows would be those of two.
  case movedClass(String)
}

extension SyncZoneError: CustomStringConvertible {
  /// What is wrong, for people who look for a reason.
  package var description: String {
    switch self {
    case .missingPush(let number): "Pushes before this one are missing, from number \(number) on."
    case .otherPush: "Another push of this number was taken, as a copy of the device sends under the same name."
    case .clockAhead(let now): "The device's clock is ahead of the server's, which is \(now) ms since 1970."
    case .unknownPlace:
      "The device has seen what this data has not, as a copy of before was put back, or begins after a very long time."
    case .unknownVersion(let newest): "The server speaks version \(newest) of the protocol, and the device others."
    case .movedClass(let name):
      "\(name) is a model of its own in one program, and inherits from another one in another."
    }
  }
}
