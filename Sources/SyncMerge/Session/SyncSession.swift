/// What a device says when it begins.
package struct SyncHello: Hashable, Sendable, Codable {
  /// The versions of the protocol that it speaks.
  package var versions: ClosedRange<Int>
  package var zone: String
  package var site: UInt64
  /// The number of the last push that the site has made; 0 for none.
  package var lastPush: Int64
  /// The last place that it has seen, by an answer to a push or a page.
  package var seen: SyncPlace
  /// The place up to which it has all changes.
  package var pulled: SyncPlace
  /// Some of the places that this was before, the earliest first; nil for none.
  package var former: [SyncPlace]?
  /// The numbers that it has for classes and fields, and those that earlier programs had; nil for none.
  package var numbers: [SyncNumbers]?
  package var schema: SyncSchema

  package init(
    versions: ClosedRange<Int> = SyncHello.versions, zone: String, site: UInt64, lastPush: Int64 = 0,
    seen: SyncPlace = .start, pulled: SyncPlace = .start, former: [SyncPlace]? = nil,
    numbers: [SyncNumbers]? = nil, schema: SyncSchema
  ) {
    self.versions = versions
    self.zone = zone
    self.site = site
    self.lastPush = lastPush
    self.seen = seen
    self.pulled = pulled
    self.former = former
    self.numbers = numbers
    self.schema = schema
  }

  /// The versions of the protocol that this code speaks.
  package static let versions = 1...1
}

/// What the server answers.
package struct SyncWelcome: Hashable, Sendable, Codable {
  /// What tells the zone from all others, those of other accounts and of before the server was set up anew.
  package var identity: UInt64
  package var version: Int
  package var numbers: SyncNumbers
  /// How classes merge, by their numbers.
  package var rules: [Int: SyncRules]
  /// The sequence up to which what the device has seen is the zone's. What it saw behind that is to be sent again.
  package var common: Int64
  /// The number of the site's last push that was taken; 0 for none.
  package var lastPush: Int64
  /// The zone's last place.
  package var place: SyncPlace
  /// Milliseconds since 1970.
  package var now: UInt64
  package var limits: SyncLimits
  /// What the device is to take for the last place that it has seen, where the zone has forgotten that; else nil.
  /// Whoever asks for anything else must know a place of the zone, so that another account's token is noticed.
  package var seen: SyncPlace?
  /// True where the zone has not given all the numbers that the device has, as an older
  /// copy of it was put back; else nil.
  package var lacksNumbers: Bool?

  package init(
    identity: UInt64, version: Int, numbers: SyncNumbers, rules: [Int: SyncRules], common: Int64, lastPush: Int64,
    place: SyncPlace, now: UInt64, limits: SyncLimits, seen: SyncPlace? = nil, lacksNumbers: Bool? = nil
  ) {
    self.identity = identity
    self.version = version
    self.numbers = numbers
    self.rules = rules
    self.common = common
    self.lastPush = lastPush
    self.place = place
    self.now = now
    self.limits = limits
    self.seen = seen
    self.lacksNumbers = lacksNumbers
  }
}

extension SyncWelcome {
  /// Whether a zone can come to what it says.
  package var isPossible: Bool {
    let numbers = [common, lastPush, place.sequence, seen?.sequence ?? 0]
    // The next push has the number behind the last one.
    return numbers.allSatisfy { (0...SyncPlace.most).contains($0) } && lastPush < SyncPlace.most && limits.arePossible
      && self.numbers.arePossible
  }
}

/// How much may be sent at a time.
package struct SyncLimits: Hashable, Sendable, Codable {
  /// The most edits of a push.
  package var edits: Int
  /// The most bytes of a push.
  package var bytes: Int
  /// The most rows of a page.
  package var rows: Int

  package init(edits: Int = 50_000, bytes: Int = 8 << 20, rows: Int = 5_000) {
    (self.edits, self.bytes, self.rows) = (edits, bytes, rows)
  }

  /// Whether a server can have them.
  package var arePossible: Bool { [edits, bytes, rows].allSatisfy { (1...1 << 40).contains($0) } }
}
