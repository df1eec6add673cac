/// Reads the steps of a key path object, one after the other.
struct KeyPathMemory {
  static var fieldKind: UInt32 { 1 }

  private let keyPath: AnyKeyPath
  /// How many bytes the steps take.
  private let size: Int
  private var offset = 0

  private static var word: Int { MemoryLayout<Int>.size }

  init(of keyPath: AnyKeyPath) {
    self.keyPath = keyPath
    // SAFETY: the object begins with its type and its reference count, a word each, and AnyKeyPath has one stored
    // property, a pointer. So every key path has a fourth word, which holds the size of the steps that follow.
    size = Int(Self.load(UInt32.self, of: keyPath, at: 3 * Self.word) & 0xFF_FFFF)
  }

  var isAtEnd: Bool { offset >= size }

  /// The next step, which is nil where it leads into an optional or out of it; nil when it is not laid out as is known.
  mutating func next() -> KeyPathStep?? {
    guard let header = read(UInt32.self) else { return nil }
    let step: KeyPathStep?
    switch header >> 24 & 0x7F {
    case let kind where kind == Self.fieldKind || kind == 3:
      var place = header & 0x7F_FFFF
      if place == 0x7F_FFFF {
        guard let long = read(UInt32.self) else { return nil }
        place = long
      }
      step = KeyPathStep(kind: kind, identity: Int(place), isRequirement: false)
    case 2:
      let (isSettable, isGeneric, isByTable) = (
        header & 0x40_0000 != 0, header & 0x8_0000 != 0, header & 0x10_0000 != 0
      )
      guard let identity = read(Int.self) else { return nil }
      // The getter, and the setter.
      offset += isSettable ? 2 * Self.word : Self.word
      if isGeneric {
        guard let captured = read(Int.self), captured >= 0, captured < size else { return nil }
        offset += Self.word + captured
      }
      step = KeyPathStep(
        kind: 2 | header & 0x30_0000, identity: identity,
        isRequirement: isGeneric && isByTable && Int32(truncatingIfNeeded: identity) <= 0)
    case 4:
      // What `!` takes out of nil stops a program, and no query.
      if header & 0xFF_FFFF == 2 { return nil }
      step = nil
    default: return nil
    }
    // The type that the step leads to, which the last one lacks.
    if !isAtEnd, read(Int.self) == nil { return nil }
    return .some(step)
  }

  /// Reads a value at its next possible place, if the steps' size says that it is there.
  private mutating func read<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
    let (length, start) = (MemoryLayout<Value>.size, (offset + MemoryLayout<Value>.size - 1) / MemoryLayout<Value>.size)
    guard start * length + length <= size else { return nil }
    offset = start * length + length
    // SAFETY: the steps begin behind the word with their size, and the value is within it.
    return Self.load(type, of: keyPath, at: 4 * Self.word + start * length)
  }

  /// SAFETY: `offset` must be within the object, and a multiple of the value's size.
  private static func load<Value: BitwiseCopyable>(_ type: Value.Type, of keyPath: AnyKeyPath, at offset: Int) -> Value
  {
    withExtendedLifetime(keyPath) {
      UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()).load(fromByteOffset: offset, as: type)
    }
  }
}
