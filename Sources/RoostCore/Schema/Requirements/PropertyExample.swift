import Foundation
import RoostSQL

/// A value that a property may have, and its slot with that value.
struct PropertyExample {
  let image: SlotImage
  private let value: Value

  private enum Value {
    case attribute(Any)
    case toOne((any PersistentModel)?)
    case toMany([any PersistentModel]?)
  }

  fileprivate init<Codec: _AttributeCodec>(_ codec: Codec.Type, _ value: Codec.Value) {
    var slot = _Attribute<Codec>()
    slot.value = value
    (image, self.value) = (.attribute(slot), .attribute(value))
  }

  fileprivate init(_ target: (any PersistentModel)?) {
    (image, value) = (.toOne(ToOneReference(object: target)), .toOne(target))
  }

  fileprivate init(_ targets: [any PersistentModel]?) {
    var members = ToManyMembers()
    members.contents = .objects(targets)
    (image, value) = (.toMany(members), .toMany(targets))
  }

  /// Whether what was read is exactly this.
  func isSame(_ read: Any) -> Bool {
    switch value {
    case .attribute(let value): return SameValue.areSame(value, read)
    case .toOne(let target): return (SameValue.bare(read) as AnyObject?) === target
    case .toMany(let targets):
      guard let list = read as? any RelationshipCollection else { return false }
      func identities(_ models: [any PersistentModel]?) -> [ObjectIdentifier]? { models?.map { ObjectIdentifier($0) } }
      func found<List: RelationshipCollection>(_ list: List) -> [ObjectIdentifier]? { identities(list._models) }
      let (found, given) = (found(list), identities(targets))
      return found == given || (list is any SetAlgebra && found.map { Set($0) } == given.map { Set($0) })
    }
  }
}

extension PropertyInfo {
  /// Values of which a computed property is unlikely to give each as it is: the first one is harmless, the next is not
  /// what any rule would leave alone, and nil and empty ones are the last. None where a query cannot read the property.
  ///
  /// `related`: makes a model to refer to.
  func examples(_ related: (any PersistentModel.Type) -> (any PersistentModel)?) -> [PropertyExample] {
    switch kind {
    case .attribute(let codec):
      func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> [PropertyExample] {
        codec.examples.map { PropertyExample(codec, $0) }
      }
      return isExternal ? [] : open(codec)
    case .toOne(let relationship):
      let targets = (0..<2).compactMap { _ in related(relationship.destination.type) }
      return targets.map { PropertyExample($0) } + (isOptional ? [PropertyExample(nil as (any PersistentModel)?)] : [])
    case .toMany(let relationship):
      let targets = (0..<3).compactMap { _ in related(relationship.destination.type) }
      let lists = targets.isEmpty ? [] : [Array(targets.prefix(2)), targets.reversed()]
      return (lists + [[]]).map { PropertyExample($0) }
        + (isOptional ? [PropertyExample(nil as [any PersistentModel]?)] : [])
    }
  }
}

extension _AttributeCodec {
  fileprivate static var examples: [Value] {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> [Any] { codec.presentExamples }
    let present = open(ColumnMeaning(self).codec).compactMap { $0 as? Value }
    return present + (isOptional ? decode(.null).map { [$0] } ?? [] : [])
  }

  private static var presentExamples: [Any] {
    func all<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { Array(type.allCases) }
    if Value.self != Bool.self {
      if let cases = (Value.self as? any CaseIterable.Type).map({ all($0) }) ?? Placeholder.enumCases(Value.self) {
        return Array(cases.prefix(64))
      }
    }
    switch semantics {
    case .opaque, .transformed: return []
    case .json: return jsonExamples
    default: return SQLValue.examples(columnType).compactMap { decode($0) }
    }
  }

  private static var jsonExamples: [Any] {
    func decode<Decoded: Decodable>(_ type: Decoded.Type, _ number: Int) -> Any? {
      try? PlaceholderDecoder(probe: ExampleProbe { _ in number }).value(type)
    }
    guard let type = CodableTypes.decodable(Value.self) else { return [] }
    let values = (1..<ExampleProbe.exampleCount).compactMap { decode(type, $0) }
    // Examples of arrays have one element. What sorts or cuts them shows with more.
    let longer = (Value.self as? any Joinable.Type).flatMap { $0.joined(values.reversed() + values) }
    return Array(values.prefix(1)) + [longer].compactMap { $0 } + values.dropFirst()
      + [decode(type, 0)].compactMap { $0 }
  }
}

extension SQLValue {
  fileprivate static func examples(_ type: _ColumnType) -> [SQLValue] {
    switch type {
    case .integer: return [1, -7_654_321, 0, 2, -3, 100, 127, 255, 65_535, .max, .min].map { .integer($0) }
    case .real: return [1, -7_654.321, 0, 0.5, 1e9, -1e9, 6e10].map { .real($0) }
    case .text:
      let long = String(repeating: "a Text that is Longer than what fits a line ", count: 20)
      return ["1", " aB e\u{301}\u{1} ", long, "-2.5", "Abc", "abc", "ABC", ""].map { .text($0) }
    case .blob:
      return [(1, 16), (254, 16), (7, 3), (9, 1_000), (0, 16), (0, 0)].map { .blob(Data(repeating: $0.0, count: $0.1)) }
    }
  }
}

/// An array, of which several make one.
private protocol Joinable {
  static func joined(_ parts: [Any]) -> Any?
}

extension Array: Joinable {
  fileprivate static func joined(_ parts: [Any]) -> Any? { Array(parts.compactMap { $0 as? [Element] }.joined()) }
}
