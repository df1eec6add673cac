extension SyncZone {
  /// Begins a device's session: gives its classes and fields numbers, and finds what it has in common with the zone.
  ///
  /// - Parameters:
  ///   - hello: what the device says.
  ///   - now: milliseconds since 1970.
  ///   - identity: a random number, for a zone that nobody has begun with yet.
  /// - Returns: what it needs to know for all else.
  /// - Throws: ``SyncZoneError/unknownVersion(newest:)``; ``SyncZoneError/movedClass(_:)``; ``SyncZoneError/otherPush``
  ///   for a device that has not made the site's last push; what the storage throws.
  package mutating func begin(
    _ hello: SyncHello, now: UInt64, identity: UInt64 = UInt64.random(in: 1...(.max))
  ) throws -> SyncWelcome {
    guard hello.versions.overlaps(SyncHello.versions) else {
      throw SyncZoneError.unknownVersion(newest: SyncHello.versions.upperBound)
    }
    let (common, isForgotten) = try common(hello)
    let lastPush = try storage.lastPushID(of: hello.site).number
    // A device that was put back, or copied, would have pushes of its own that another has made.
    if lastPush > hello.lastPush { throw SyncZoneError.otherPush }
    var registry = try storage.registry
    let before = registry
    if registry.identity == 0 { registry.identity = identity }
    if let name = registry.movedClass(in: hello.schema) { throw SyncZoneError.movedClass(name) }
    let numbers = registry.register(hello.schema, at: try storage.place.sequence)
    if registry != before {
      try storage.setRegistry(registry)
      let (constraints, sequence) = registry.newUniqueness(since: before)
      try claimAnew(constraints, behind: sequence, registry)
    }
    let place = try storage.place
    let rules = numbers.entities.values.map { ($0.number, registry.rules(of: $0.number)) }
    return SyncWelcome(
      identity: registry.identity, version: min(hello.versions.upperBound, SyncHello.versions.upperBound),
      numbers: numbers,
      rules: Dictionary(rules, uniquingKeysWith: { first, _ in first }), common: common.sequence, lastPush: lastPush,
      place: place, now: now, limits: limits, seen: isForgotten ? place : nil,
      lacksNumbers: (hello.numbers ?? []).allSatisfy(registry.hasGiven) ? nil : true)
  }

  /// Has the rows that changed behind a place claim their values of constraints that there were none of since, the
  /// earliest first. Those that come too late become the others: no program with the constraint could show both.
  private mutating func claimAnew(
    _ uniqueness: [Int: [[Int]]], behind sequence: Int64, _ registry: SyncRegistry
  ) throws {
    if uniqueness.isEmpty { return }
    var (cursor, twice): (Int64, [SyncRowID]) = (sequence, [])
    while true {
      let records = try storage.records(behind: cursor, limit: 1_000)
      guard let last = records.last else { break }
      for record in records where record.deletion == nil {
        for fields in uniqueness[record.row.entity] ?? [] {
          guard let claim = SyncClaim(record, fields, registry) else { continue }
          if let other = try storage.holder(of: claim, registry) {
            // Programs show both of two rows that have one partner, and each is somebody's.
            if other != record.row, !registry.isPartner(fields, of: record.row.entity) { twice.append(record.row) }
          } else {
            try storage.setClaimant(of: claim, to: record.row)
          }
        }
      }
      cursor = last.sequence
    }
    if twice.isEmpty { return }
    _ = try merge(SyncPush(site: 0, number: 0, identity: registry.identity, edits: [])) { merger in
      for row in twice { try merger.claim(row, mayRevert: false) }
    }
  }

  /// How many of a device's former places are looked at.
  private static var mostFormer: Int { 100 }

  /// The last of a device's places that is the zone's, as far as is known, and whether the zone has forgotten it.
  private func common(_ hello: SyncHello) throws -> (place: SyncPlace, isForgotten: Bool) {
    let places = [hello.seen, hello.pulled] + (hello.former ?? []).suffix(Self.mostFormer).reversed()
    // While a device fetches all anew it has no place, which is none to have in common.
    for place in places where place.sequence > 0 {
      if try has(place) { return (place, false) }
      // Were all of its rows sent anew, they would overwrite what others wrote while it was away.
      if try hasForgotten(place) { return (place, true) }
    }
    return (.start, false)
  }
}
