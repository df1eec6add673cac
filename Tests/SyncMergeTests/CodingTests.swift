import SyncMerge
import TestSupport
import Testing

/// Values as bytes, and bytes that are none.
@Suite struct CodingTests {
  @Test func `all that is sent and kept is read as it was written`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = RandomSync(seed: seed)
    for _ in 0..<300 {
      try check(random.push())
      try check(random.answer())
      try check(random.page())
      try check(random.taken())
      try check(random.digest())
      try check(random.record())
      try check(random.edit())
      try check(random.values())
    }
  }

  private func check<Value: SyncCodable & Equatable>(_ value: Value) throws {
    let bytes = value.encoded
    let read = try Value(encoded: bytes)
    #expect(read == value && read.encoded == bytes)
  }

  @Test(arguments: [0, -0.0, .infinity, .signalingNaN, Double(nan: 7, signaling: false), .leastNonzeroMagnitude])
  func `a number with a point keeps each of its bits`(_ number: Double) throws {
    guard case .real(let read) = try SyncValue(encoded: SyncValue.real(number).encoded) else {
      Issue.record("another kind of value")
      return
    }
    #expect(read.bitPattern == number.bitPattern)
  }

  @Test(arguments: [0, 1, -1, 63, 64, -64, -65, .max, .min] as [Int64])
  func `an integer of any size is read as it was written`(_ number: Int64) throws {
    try check(SyncValue.integer(number))
  }

  @Test(arguments: [-1, SyncPlace.most + 1, .max, .min] as [Int64])
  func `a place that no server comes to is refused`(_ sequence: Int64) {
    let stamp = SyncStamp(time: 1, site: 1)
    let deletion = SyncDeletion(stamp: stamp, sequence: sequence)
    let field = SyncField(value: .integer(1), stamp: stamp, sequence: sequence)
    #expect(throws: SyncCodingError.overflow) { try SyncPlace(encoded: SyncPlace(sequence: sequence, mark: 1).encoded) }
    #expect(throws: SyncCodingError.overflow) { try SyncDeletion(encoded: deletion.encoded) }
    #expect(throws: SyncCodingError.overflow) { try SyncField(encoded: field.encoded) }
    let row = SyncRowID(entity: 1, site: 1, key: 1)
    #expect(throws: SyncCodingError.overflow) {
      try SyncRecord(encoded: SyncRecord(row: row, sequence: sequence).encoded)
    }
    let taken = SyncPushID(number: 0, identity: 0)
    let page = SyncPage(records: [], cursor: sequence, isLast: true, taken: taken, place: .start)
    #expect(throws: SyncCodingError.overflow) { try SyncPage(encoded: page.encoded) }
  }

  @Test func `small numbers take few bytes`() {
    #expect(SyncValue.integer(-64).encoded.count == 3)
    #expect(SyncValue.text("abc").encoded.count == 6)
  }

  @Test func `bytes that were changed or cut off are read as something, or refused`() {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = RandomSync(seed: seed)
    var refused = 0
    for place in 0..<20_000 {
      let isRead =
        switch place % 5 {
        case 0: reads(random.damaged(random.push()))
        case 1: reads(random.damaged(random.answer()))
        case 2: reads(random.damaged(random.page()))
        case 3: reads(random.damaged(random.digest()))
        default: reads(random.damaged(random.taken()))
        }
      if !isRead { refused += 1 }
    }
    #expect(refused > 1_000 && refused < 20_000)
  }

  /// Whether bytes are read. What is read is written again, so that it is seen to be whole.
  private func reads<Value: SyncCodable>(_ damaged: (kind: Value.Type, bytes: [UInt8])) -> Bool {
    guard let value = try? Value(encoded: damaged.bytes) else { return false }
    return !value.encoded.isEmpty
  }

  @Test func `what says that it is longer than it is is refused before there is memory for it`() {
    // A text, a blob, a list and a page's rows of 2^62.
    let length: [UInt8] = Array(repeating: 0x80, count: 8) + [0x40]
    for tag in [3, 4, 6] as [UInt8] {
      #expect(throws: SyncCodingError.truncated) { try SyncValue(encoded: [1, tag] + length) }
    }
    #expect(throws: SyncCodingError.truncated) { try SyncPage(encoded: [1] + length) }
    let beyond: [UInt8] = Array(repeating: 0xff, count: 9) + [0x02]
    #expect(throws: SyncCodingError.overflow) { try SyncPage(encoded: [1] + beyond) }
  }

  @Test func `what this code does not know is refused`() {
    let bytes = SyncValue.null.encoded
    #expect(throws: SyncCodingError.unknownVersion(2)) { try SyncValue(encoded: [2] + bytes.dropFirst()) }
    #expect(throws: SyncCodingError.unknownTag(7)) { try SyncValue(encoded: [1, 7]) }
    #expect(throws: SyncCodingError.leftOver) { try SyncValue(encoded: bytes + [0]) }
    #expect(throws: SyncCodingError.truncated) { try SyncValue(encoded: []) }
    #expect(throws: SyncCodingError.invalidText) { try SyncValue(encoded: [1, 3, 1, 0xff]) }
    #expect(throws: SyncCodingError.repeatedField) { try SyncFields<SyncValue>(encoded: [1, 2, 2, 0, 2, 0]) }
  }

  @Test func `lists in lists are read, and refused where there are too many`() throws {
    func nested(_ depth: Int) -> SyncValue { (1..<depth).reduce(.list([])) { list, _ in .list([list]) } }
    try check(nested(8))
    let deep = (0..<200_000).map { $0 % 2 == 0 ? 6 : 1 } as [UInt8]
    #expect(throws: SyncCodingError.tooDeep) { try SyncValue(encoded: nested(9).encoded) }
    #expect(throws: SyncCodingError.tooDeep) { try SyncValue(encoded: [1] + deep) }
  }

  @Test func `a push whose lists would take far more memory than its bytes is refused`() throws {
    let stamp = SyncStamp(time: 1, site: 1)
    func push(_ lists: Int, of elements: [SyncValue]) -> SyncPush {
      let field = SyncFieldEdit(value: .list(elements), ancestor: .null, base: 0, stamp: stamp)
      let edits = (0..<lists).map { key in
        SyncEdit(row: SyncRowID(entity: 1, site: 1, key: Int64(key)), kind: .update, stamp: stamp, fields: [1: field])
      }
      return SyncPush(site: 1, number: 1, edits: edits)
    }
    // What devices send: texts of JSON, of which the shortest have one character.
    for lists in [1, 100] { try check(push(lists, of: Array(repeating: .text("1"), count: 1_000_000 / lists))) }
    for refused in [
      push(1, of: Array(repeating: .null, count: 1_000_000)),
      push(100, of: Array(repeating: .null, count: 10_000)),
      push(100, of: Array(repeating: .blob([1]), count: 10_000)),
      push(100, of: Array(repeating: .list([.null]), count: 10_000)),
    ] {
      #expect(throws: SyncCodingError.tooLarge) { try SyncPush(encoded: refused.encoded) }
    }
    // What devices have merged may be in a page.
    try check(SyncValue.list(Array(repeating: .null, count: 100_000)))
  }

  @Test func `what is beside a value has nothing beside it`() throws {
    let stamp = SyncStamp(time: 1, site: 1)
    let field = SyncField(value: .null, stamp: stamp, sequence: 1)
    let beside = SyncField(value: .null, stamp: stamp, sequence: 1, others: [field, field])
    try check(beside)
    let twice = SyncField(value: .null, stamp: stamp, sequence: 1, others: [beside])
    #expect(throws: SyncCodingError.tooDeep) { try SyncField(encoded: twice.encoded) }
  }
}
