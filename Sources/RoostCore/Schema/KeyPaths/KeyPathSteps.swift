/// The steps of a key path: properties, and what goes into optionals.
///
/// Swift has no question for them: equal key paths can be made of parts, but not of one that goes through an optional
/// inside, and a key path's description has addresses that differ from file to file in an optimised program. What is
/// read has been the same since Swift 5, is fixed on Apple platforms, and Foundation reads it as well. Should another
/// compiler lay key paths out differently, ``isKnown`` is false, and only key paths of one property name any.
///
/// Source: the layout in
/// [KeyPath.swift](https://github.com/swiftlang/swift/blob/main/stdlib/public/core/KeyPath.swift) and
/// [KeyPath.h](https://github.com/swiftlang/swift/blob/main/include/swift/ABI/KeyPath.h).
struct KeyPathSteps {
  /// The steps that lead from a value to another, without those into optionals and out of them.
  private(set) var properties: [KeyPathStep] = []

  /// nil when the memory is not laid out as described, and for a path that takes the value out of an optional by `!`.
  init?(_ keyPath: AnyKeyPath) {
    var memory = KeyPathMemory(of: keyPath)
    while !memory.isAtEnd {
      guard let step = memory.next() else { return nil }
      if let step { properties.append(step) }
    }
  }

  /// Whether key paths are as described, shown by one of each kind.
  static let isKnown: Bool = {
    func generic<Model: Example>(_ type: Model.Type) -> (requirements: [AnyKeyPath], others: [AnyKeyPath]) {
      ([\Model.first, \Model.second, \Model.third], [\Model.inExtension])
    }
    func subclass<Model: ExampleClass>(_ type: Model.Type) -> [AnyKeyPath] {
      [\Model.first, \Model.second, \Model.stored, \Model.computed]
    }
    func steps(_ keyPath: AnyKeyPath) -> [KeyPathStep]? { KeyPathSteps(keyPath)?.properties }
    let (requirements, others) = generic(ExampleClass.self)
    let literals: [AnyKeyPath] = [
      \ExampleClass.first, \ExampleClass.second, \ExampleClass.stored, \ExampleClass.computed,
    ]
    let (text, number): (AnyKeyPath, AnyKeyPath) = (\ExampleStruct.text, \ExampleStruct.number)
    guard let single = steps(literals[3]), let third = steps(\ExampleClass.third), let field = steps(text),
      requirements.allSatisfy(\.isRequirement),
      !(others + subclass(ExampleClass.self) + literals + [\ExampleClass.self]).contains(where: \.isRequirement)
    else { return false }
    return single.count == 1 && third.count == 1 && field.count == 1 && field != steps(number)
      && Set(literals.compactMap(steps)).count == literals.count
      && subclass(ExampleClass.self).map(steps) == literals.map(steps)
      && steps(\ExampleClass.self) == [] && steps(\ExampleClass.third!.computed) == nil
      && steps(\ExampleClass.third?.computed) == third + single
      && steps(\ExampleClass.third?.third?.part.text) == third + third + (steps(\ExampleClass.part) ?? []) + field
      && steps(\ExampleClass.[0].text) == (steps(\ExampleClass.[1]) ?? []) + field
  }()
}

/// A step from a value to one of its properties.
struct KeyPathStep: Hashable {
  /// Whether it is a stored property of a struct, a stored one of a class, or a computed one.
  let kind: UInt32
  /// The stored property's offset, or what identifies the computed one among those of its type.
  let identity: Int
  /// A computed property with generic arguments, identified by a place in a table: negated in a protocol's, positive
  /// in a class's.
  let isRequirement: Bool

  /// A stored property of a struct.
  var isField: Bool { kind == KeyPathMemory.fieldKind }

  static func == (lhs: KeyPathStep, rhs: KeyPathStep) -> Bool {
    (lhs.kind, lhs.identity) == (rhs.kind, rhs.identity)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(identity)
  }
}

extension AnyKeyPath {
  /// Whether the path begins at a requirement of a protocol, as generic code names it:
  /// `func find<Model: Titled>(_: Model.Type) { \Model.title }`.
  ///
  /// Such a path is not equal to `\Note.title`, but may be equal to one of another protocol's requirement at the same
  /// place in that protocol. So nothing may be looked up or kept by it.
  var beginsAtRequirement: Bool { KeyPathSteps.isKnown && isRequirement }

  fileprivate var isRequirement: Bool { KeyPathSteps(self)?.properties.first?.isRequirement ?? false }
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
  var part = ExampleStruct()
  subscript(place: Int) -> ExampleStruct { ExampleStruct() }
}

private struct ExampleStruct {
  var number = 0
  var text = ""
}
