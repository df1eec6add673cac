/// Reads what a ``SyncWriter`` wrote, or anything: what is wrong is thrown, and no length
/// that the bytes claim is believed.
///
/// What it makes takes at most some 60 times the memory of the bytes: that is a list of fields without values. What a
/// device pushes takes no more than some 16 times.
package struct SyncReader: ~Copyable {
  // SAFETY: Every access is within its bounds: `advance(by:)` checks that before each. Who makes the
  // reader keeps the bytes for as long.
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// How many lists the values being read are in.
  private var depth = 0

  /// Whether it reads what is beside a value.
  private var isBeside = false

  /// How many bytes of memory lists and blobs may still take.
  private var room = Int.max

  /// The most lists within lists.
  private static let mostDepth = 8

  /// Reads from the first byte on. The bytes must stay where they are while it is used.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many bytes are to be read still.
  package var left: Int { bytes.count - place }

  /// Goes over bytes. Returns where they begin.
  private mutating func advance(by count: Int) throws(SyncCodingError) -> Int {
    guard count >= 0, count <= left else { throw .truncated }
    defer { place += count }
    return place
  }

  package mutating func byte() throws(SyncCodingError) -> UInt8 { bytes[try advance(by: 1)] }

  package mutating func unsigned() throws(SyncCodingError) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try byte()
      // The tenth byte has the last bit.
      if shift == 63, byte > 1 { throw .overflow }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  package mutating func signed() throws(SyncCodingError) -> Int64 {
    let number = try unsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  package mutating func int() throws(SyncCodingError) -> Int {
    guard let number = Int(exactly: try signed()) else { throw .overflow }
    return number
  }

  /// A sequence, at most `SyncPlace.most`, so that there is always a next one.
  package mutating func sequence() throws(SyncCodingError) -> Int64 {
    let number = try signed()
    guard (0...SyncPlace.most).contains(number) else { throw .overflow }
    return number
  }

  package mutating func fixed() throws(SyncCodingError) -> UInt64 {
    let start = try advance(by: 8)
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// How many things follow, of which each takes some bytes at least.
  private mutating func count(ofBytes least: Int) throws(SyncCodingError) -> Int {
    guard let count = Int(exactly: try unsigned()), count <= left / least else { throw .truncated }
    return count
  }

  private mutating func slice() throws(SyncCodingError) -> UnsafeRawBufferPointer {
    let count = try count(ofBytes: 1)
    let start = try advance(by: count)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  package mutating func blob() throws(SyncCodingError) -> [UInt8] {
    let bytes = try slice()
    if !bytes.isEmpty { try take(Self.arrayHeader + bytes.count) }
    return Array(bytes)
  }

  package mutating func text() throws(SyncCodingError) -> String {
    guard let text = String(validating: try slice(), as: UTF8.self) else { throw .invalidText }
    return text
  }

  /// A list, of which each element takes some bytes at least.
  package mutating func list<Element: SyncCodable>(ofBytes least: Int) throws(SyncCodingError) -> [Element] {
    try elements(try count(ofBytes: least))
  }

  private mutating func elements<Element: SyncCodable>(_ count: Int) throws(SyncCodingError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count { elements.append(try Element(from: &self)) }
    return elements
  }

  /// A list within a value, which may be within another.
  mutating func innerList() throws(SyncCodingError) -> [SyncValue] {
    guard depth < Self.mostDepth else { throw .tooDeep }
    depth += 1
    defer { depth -= 1 }
    let count = try count(ofBytes: 1)
    if count > 0 { try take(Self.arrayHeader + count * MemoryLayout<SyncValue>.stride) }
    return try elements(count)
  }

  /// Reads from here on what a device pushes: its lists have texts or rows.
  mutating func expectPush() { room = 1 << 20 + 16 * left }

  private static let arrayHeader = 32

  private mutating func take(_ count: Int) throws(SyncCodingError) {
    if count > room { throw .tooLarge }
    room -= count
  }

  /// What is beside a value, which has nothing beside it itself.
  mutating func siblings() throws(SyncCodingError) -> [SyncField] {
    if isBeside {
      guard try unsigned() == 0 else { throw .tooDeep }
      return []
    }
    isBeside = true
    defer { isBeside = false }
    return try list(ofBytes: 20)
  }

  package mutating func fields<Field: SyncCodable>(ofBytes least: Int) throws(SyncCodingError) -> SyncFields<Field> {
    let count = try count(ofBytes: least)
    var elements: [SyncFields<Field>.Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count { elements.append((try int(), try Field(from: &self))) }
    guard let fields = SyncFields(elements) else { throw .repeatedField }
    return fields
  }

  package mutating func optional<Value: SyncCodable>() throws(SyncCodingError) -> Value? {
    try flag() ? try Value(from: &self) : nil
  }

  package mutating func flag() throws(SyncCodingError) -> Bool {
    let tag = try byte()
    guard tag <= 1 else { throw .unknownTag(tag) }
    return tag == 1
  }
}
