package import SyncMerge

/// Makes anything that is sent.
package struct RandomSync {
  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// What something is as bytes, cut off or with some changed.
  package mutating func damaged<Value: SyncCodable>(_ value: Value) -> (kind: Value.Type, bytes: [UInt8]) {
    (Value.self, damaged(value.encoded))
  }

  /// Bytes that are cut off, or of which some are changed.
  package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [UInt8(random.below(256))] }
    var bytes = bytes
    switch random.below(4) {
    case 0: bytes.removeLast(1 + random.below(bytes.count))
    case 1: bytes.append(UInt8(random.below(256)))
    case 2: bytes.removeSubrange(random.below(bytes.count)..<bytes.count - random.below(2))
    default:
      for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
    }
    return bytes
  }

  package mutating func push() -> SyncPush {
    SyncPush(
      site: random.next(), number: integer(), identity: random.next(), seen: place(), edits: list { $0.edit() })
  }

  package mutating func answer() -> SyncPushAnswer {
    SyncPushAnswer(
      number: integer(), records: list { $0.record() }, rest: random.once(in: 2) ? nil : Int64(random.below(1_000)),
      conflicts: list { $0.conflict() }, place: place())
  }

  package mutating func page() -> SyncPage {
    SyncPage(
      records: list { $0.record() }, cursor: sequence(), isLast: random.once(in: 2),
      taken: SyncPushID(number: integer(), identity: random.next()), place: place())
  }

  package mutating func digest() -> SyncDigest {
    SyncDigest(place: place(), rows: fields { SyncDigest.Rows(count: $0.integer(), sum: $0.random.next()) })
  }

  package mutating func taken() -> SyncTakenPush {
    SyncTakenPush(number: integer(), identity: random.next(), conflicts: list { $0.conflict() })
  }

  package mutating func record() -> SyncRecord {
    let merged = random.once(in: 2) ? row() : nil
    let deletion = SyncDeletion(stamp: stamp(), sequence: sequence(), mergedInto: merged)
    return SyncRecord(
      row: row(), sequence: sequence(), deletion: random.once(in: 3) ? deletion : nil,
      fields: fields { $0.field(siblings: 2) })
  }

  package mutating func edit() -> SyncEdit {
    SyncEdit(
      row: row(), kind: random.pick([.insert, .update, .delete]), base: integer(), stamp: stamp(),
      fields: fields {
        SyncFieldEdit(value: $0.value(), ancestor: $0.value(), base: $0.integer(), stamp: $0.stamp())
      })
  }

  package mutating func values() -> SyncFields<SyncValue> { fields { $0.value() } }

  private mutating func conflict() -> SyncConflict {
    SyncConflict(
      row: row(), field: random.once(in: 2) ? Int(integer()) : nil, ancestor: value(),
      server: SyncStampedValue(value: value(), stamp: stamp()),
      client: SyncStampedValue(value: value(), stamp: stamp()),
      outcome: random.pick([.server, .client, .merged, .open]))
  }

  private mutating func field(siblings: Int) -> SyncField {
    var field = SyncField(value: value(), stamp: stamp(), sequence: sequence())
    field.otherSequence = sequence()
    if siblings > 0, random.once(in: 3) { field.others = (0..<siblings).map { _ in self.field(siblings: 0) } }
    return field
  }

  private mutating func value(depth: Int = 0) -> SyncValue {
    switch random.below(depth < 3 ? 8 : 6) {
    case 0: .null
    case 1: .integer(integer())
    case 2: .real(Double(integer()) / 7)
    case 3: .text(random.pick(["", "a", "é", "👩‍👩‍👧", "\0", "e\u{301}", String(repeating: "x", count: 300)]))
    case 4: .blob((0..<random.below(200)).map { UInt8(truncatingIfNeeded: $0) })
    case 5: .row(row())
    default: .list((0..<random.below(4)).map { _ in value(depth: depth + 1) })
    }
  }

  /// Of any size.
  private mutating func integer() -> Int64 { Int64(bitPattern: random.next()) >> Int64(random.below(64)) }
  private mutating func row() -> SyncRowID { SyncRowID(entity: Int(integer()), site: random.next(), key: integer()) }
  private mutating func stamp() -> SyncStamp { SyncStamp(time: random.next(), site: random.next()) }
  private mutating func sequence() -> Int64 {
    random.once(in: 8) ? SyncPlace.most : Int64(random.next() >> (2 + UInt64(random.below(60))))
  }

  private mutating func place() -> SyncPlace { SyncPlace(sequence: sequence(), mark: random.next()) }

  private mutating func list<Element>(_ make: (inout RandomSync) -> Element) -> [Element] {
    (0..<random.below(4)).map { _ in make(&self) }
  }

  private mutating func fields<Field>(_ make: (inout RandomSync) -> Field) -> SyncFields<Field> {
    var fields: SyncFields<Field> = [:]
    for _ in 0..<random.below(6) { fields[Int(integer())] = make(&self) }
    return fields
  }
}
