/// What a device sends: edits that are taken together or not at all.
package struct SyncPush: Hashable, Sendable, Codable {
  package let site: UInt64
  /// Its place among the site's pushes, from 1. A device sends the next one once this is answered.
  package let number: Int64
  package var edits: [SyncEdit]

  package init(site: UInt64, number: Int64, edits: [SyncEdit]) {
    (self.site, self.number, self.edits) = (site, number, edits)
  }
}

/// What the server answers to a push, the first time and whenever it comes again.
package struct SyncPushAnswer: Hashable, Sendable, Codable {
  package var number: Int64
  /// The rows that the push is about, as they are now: also those that it did not change.
  package var records: [SyncRecord]
  /// What it met; nothing if the push had been taken before.
  package var conflicts: [SyncConflict]
}

/// Rows that changed behind a place of the zone's order, in its order.
package struct SyncPage: Hashable, Sendable, Codable {
  /// Each once, as it is now.
  package var records: [SyncRecord]
  /// The place to ask from next.
  package var cursor: Int64
  /// Whether there is nothing behind that now.
  package var isLast: Bool
  /// The number of the asking site's last push that the records have in them.
  package var taken: Int64

  package init(records: [SyncRecord], cursor: Int64, isLast: Bool, taken: Int64) {
    (self.records, self.cursor, self.isLast, self.taken) = (records, cursor, isLast, taken)
  }
}

/// Why a zone refuses what a device asks.
package enum SyncZoneError: Error, Hashable, Sendable {
  /// Pushes before this one are missing: the device is to send the one of this number.
  case missingPush(Int64)
  /// An edit's stamp is later than the server's time, milliseconds since 1970, allows: the device is to write its edits that
  /// the server does not have with stamps of that time.
  case clockAhead(now: UInt64)
  /// The device has seen more than there is: an older copy of the server's data was put back.
  case unknownPlace(head: Int64)
}
