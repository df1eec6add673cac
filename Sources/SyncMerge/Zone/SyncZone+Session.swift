extension SyncZone {
  /// Begins a device's session: gives its classes and fields numbers, and finds what it has in common with the zone.
  ///
  /// - Parameters:
  ///   - hello: what the device says.
  ///   - now: milliseconds since 1970.
  ///   - identity: a random number, for a zone that nobody has begun with yet.
  /// - Returns: what it needs to know for all else.
  /// - Throws: ``SyncZoneError/unknownVersion(newest:)``; ``SyncZoneError/otherPush`` for a device that has not made the
  ///   site's last push; what the storage throws.
  package mutating func begin(
    _ hello: SyncHello, now: UInt64, identity: UInt64 = UInt64.random(in: 1...(.max))
  ) throws -> SyncWelcome {
    guard hello.versions.overlaps(SyncHello.versions) else {
      throw SyncZoneError.unknownVersion(newest: SyncHello.versions.upperBound)
    }
    let place = try storage.place
    let common = try [hello.seen, hello.pulled].first { try has($0) } ?? .start
    let lastPush = try storage.lastPush(of: hello.site)?.number ?? 0
    // A device that was put back, or copied, would have pushes of its own that another has made.
    if lastPush > hello.lastPush { throw SyncZoneError.otherPush }
    var registry = try storage.registry
    let before = registry
    if registry.identity == 0 { registry.identity = identity }
    let numbers = registry.register(hello.schema)
    if registry != before { try storage.setRegistry(registry) }
    let rules = numbers.entities.values.map { ($0.number, registry.rules(of: $0.number)) }
    return SyncWelcome(
      identity: registry.identity, version: min(hello.versions.upperBound, SyncHello.versions.upperBound),
      numbers: numbers,
      rules: Dictionary(rules, uniquingKeysWith: { first, _ in first }), common: common.sequence, lastPush: lastPush,
      place: place, now: now, limits: limits)
  }
}
