internal import Foundation

/// The place of a value in the JSON object that a `Codable` struct is kept as.
package struct CompositePath: @unchecked Sendable {
  // SAFETY: immutable, and metatypes are shared by all threads.
  /// From the outermost key to the value's own.
  package let keys: [String]
  /// The value's type, without the optional around it.
  package let type: any Any.Type
  /// Whether the value, or what it is in, may be missing.
  package let isOptional: Bool

  package init(keys: [String], type: any Any.Type, isOptional: Bool) {
    self.keys = keys
    self.type = type
    self.isOptional = isOptional
  }

  /// How deep structs are looked into.
  private static var deepest: Int { 4 }

  /// The place whose value a function reads, or nil when it reads none, or several.
  ///
  /// No name is trusted: the struct is decoded from examples, and the function must give what stands at the place, for
  /// each of three, and be the same whatever stands at all others.
  static func find<Whole: Decodable>(
    in type: Whole.Type, valueType: any Any.Type, read: (Whole) -> Any?
  ) -> CompositePath? {
    let places = places(in: type)
    func value(_ example: Int, at place: CompositePath) -> Any? {
      let probe = ExampleProbe { $0.starts(with: place.keys) ? example : 1 }
      return (try? Whole(from: PlaceholderDecoder(probe: probe))).map { .some(read($0) as Any) } ?? nil
    }
    let wanted = CompositeFields.unwrapped(valueType)
    return places.first { place in
      guard place.type == wanted else { return false }
      let given = (0...2).map { place.example($0) }
      guard given.dropFirst().contains(where: { !SameValue.areSame($0, given[0]) }) else { return false }
      func shows(_ other: CompositePath, _ example: Int, _ expected: Any?) -> Bool {
        value(example, at: other).map { SameValue.areSame($0, expected) } ?? false
      }
      guard (0...2).allSatisfy({ shows(place, $0, given[$0]) }) else { return false }
      return places.allSatisfy { other in
        if other.keys.starts(with: place.keys) || place.keys.starts(with: other.keys) { return true }
        return [0, 2].allSatisfy { shows(other, $0, given[1]) }
      }
    }
  }

  /// All places in a type, outer ones first.
  private static func places(in type: any Any.Type) -> [CompositePath] {
    var result: [CompositePath] = []
    var level = [CompositePath(keys: [], type: type, isOptional: false)]
    for _ in 0..<deepest {
      level = level.flatMap { outer in
        CompositeFields.of(outer.type).map { field in
          CompositePath(
            keys: outer.keys + [field.key], type: field.type, isOptional: outer.isOptional || field.isOptional)
        }
      }
      result += level
    }
    return result
  }

  /// What stands at the place in the example of that number; nil for nil.
  private func example(_ number: Int) -> Any? {
    if number == 0, isOptional { return nil }
    func open<Value: Decodable>(_ type: Value.Type) -> Any? {
      try? PlaceholderDecoder(probe: ExampleProbe { _ in number }).value(type)
    }
    return CodableTypes.decodable(type).flatMap { open($0) }
  }
}

extension CompositePath {
  /// The place that a key path of the struct leads to.
  static func find(_ keyPath: AnyKeyPath) -> CompositePath? {
    func open<Whole: Decodable>(_ type: Whole.Type) -> CompositePath? {
      // Only what is stored in the struct has an offset; a computed property may be anything.
      guard let keyPath = keyPath as? PartialKeyPath<Whole>, MemoryLayout<Whole>.offset(of: keyPath) != nil else {
        return nil
      }
      return find(in: type, valueType: Swift.type(of: keyPath).valueType) { $0[keyPath: keyPath] }
    }
    return CodableTypes.decodable(Swift.type(of: keyPath).rootType).flatMap { open($0) }
  }

  /// The place that a property's name leads to, or a chain of them.
  static func find(_ names: [String], in type: any Any.Type) -> CompositePath? {
    var path = CompositePath(keys: [], type: type, isOptional: false)
    for name in names {
      guard let next = find(name, in: path.type) else { return nil }
      path = CompositePath(
        keys: path.keys + next.keys, type: next.type, isOptional: path.isOptional || next.isOptional)
    }
    return path
  }

  private static func find(_ name: String, in type: any Any.Type) -> CompositePath? {
    func child(_ value: Any) -> Any? { Mirror(reflecting: value).children.first { $0.label == name }?.value }
    func open<Whole: Decodable>(_ type: Whole.Type) -> CompositePath? {
      for field in CompositeFields.of(type) {
        let path = find(in: type, valueType: field.type) { child($0) }
        if let path { return path }
      }
      return nil
    }
    return CodableTypes.decodable(type).flatMap { open($0) }
  }
}
