extension AnyKeyPath {
  /// Whether the path begins at a requirement of a protocol, as generic code names it:
  /// `func find<Model: Titled>(_: Model.Type) { \Model.title }`.
  ///
  /// Such a path is not equal to `\Note.title`, but may be equal to one of another protocol's requirement at the same
  /// place in that protocol. So nothing may be looked up or kept by it.
  var beginsAtRequirement: Bool { KeyPathLayout.isKnown && KeyPathLayout(self).beginsAtRequirement }
}

/// What a key path object says of its first step.
///
/// Swift has no question for this. What is read has been the same since Swift 5 and is fixed on Apple platforms; should
/// another compiler lay key paths out differently, `isKnown` is false, and such paths name no property.
/// Source: the layout in
/// [KeyPath.swift](https://github.com/swiftlang/swift/blob/main/stdlib/public/core/KeyPath.swift) and
/// [KeyPath.h](https://github.com/swiftlang/swift/blob/main/include/swift/ABI/KeyPath.h).
private struct KeyPathLayout {
  /// How many bytes the steps take.
  private let size: Int
  /// The first step's header, and what identifies a computed property; nil when there are too few bytes.
  private let first: (header: UInt32, identifier: Int32)?

  init(_ keyPath: AnyKeyPath) {
    let word = MemoryLayout<Int>.size
    // SAFETY: the object is kept alive for the closure. It begins with its type and its reference count, a word
    // each, and AnyKeyPath has one stored property, a pointer; so every key path has a fourth word, which holds
    // the size of the steps that follow. They are read as 4 bytes at offsets that are multiples of 4, and only
    // if the size says they are there.
    (size, first) = withExtendedLifetime(keyPath) {
      let start = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()) + 3 * word
      let size = Int(start.load(as: UInt32.self) & 0xFF_FFFF)
      guard size >= 3 * word else { return (size, nil) }
      return (
        size, (start.load(fromByteOffset: word, as: UInt32.self), start.load(fromByteOffset: 2 * word, as: Int32.self))
      )
    }
  }

  /// A computed property with generic arguments, identified by a place in a table: negated in a protocol's, positive in
  /// a class's.
  var beginsAtRequirement: Bool {
    guard let first else { return false }
    let isComputed = first.header & 0x7F00_0000 == 0x0200_0000
    return isComputed && first.header & 0x0018_0000 == 0x0018_0000 && first.identifier <= 0
  }

  /// Whether key paths are as described, shown by one of each kind.
  static let isKnown: Bool = {
    func generic<Model: Example>(_ type: Model.Type) -> (requirements: [AnyKeyPath], others: [AnyKeyPath]) {
      ([\Model.first, \Model.second, \Model.third], [\Model.inExtension])
    }
    func subclass<Model: ExampleClass>(_ type: Model.Type) -> [AnyKeyPath] {
      [\Model.first, \Model.stored, \Model.computed]
    }
    let (requirements, others) = generic(ExampleClass.self)
    let literals: [AnyKeyPath] = [
      \ExampleClass.first, \ExampleClass.stored, \ExampleClass.computed, \ExampleClass.self,
    ]
    return requirements.allSatisfy { KeyPathLayout($0).beginsAtRequirement }
      && !(others + subclass(ExampleClass.self) + literals).contains { KeyPathLayout($0).beginsAtRequirement }
  }()
}

private protocol Example {
  var first: Int { get }
  var second: String { get set }
  var third: ExampleClass? { get }
}

extension Example {
  fileprivate var inExtension: Int { 0 }
}

private class ExampleClass: Example {
  var first: Int { 0 }
  var second = ""
  var third: ExampleClass?
  var stored = 0
  var computed: Int { 0 }
}
