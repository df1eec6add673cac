internal import Synchronization

/// One key of the JSON object that a `Codable` struct is kept as.
struct CompositeField: @unchecked Sendable {
  // SAFETY: immutable, and metatypes are shared by all threads.
  let key: String
  /// Without the optional around it.
  let type: any Any.Type
  /// Whether the key may be missing.
  let isOptional: Bool
}

/// The keys of `Codable` structs, asked of their own decoding: the key is not always the property's name.
package enum CompositeFields {
  private static let known = Mutex<[ObjectIdentifier: [CompositeField]]>([:])

  /// The keys of a type, in the order in which it decodes them; none for what is no JSON object of fixed keys.
  static func of(_ type: any Any.Type) -> [CompositeField] {
    if let fields = known.withLock({ $0[ObjectIdentifier(type)] }) { return fields }
    let fields = find(type)
    known.withLock { $0[ObjectIdentifier(type)] = fields }
    return fields
  }

  private static func find(_ type: any Any.Type) -> [CompositeField] {
    guard let type = CodableTypes.decodable(type), !(type is any _NativeValue.Type), !(type is AnyClass) else {
      return []
    }
    let probe = ExampleProbe { _ in 1 }
    func decode<Value: Decodable>(_ type: Value.Type) -> Value? {
      try? type.init(from: PlaceholderDecoder(probe: probe))
    }
    guard decode(type) != nil, !probe.openPlaces.contains([]) else { return [] }
    var fields: [CompositeField] = []
    // What has no key is a single value or an element.
    for request in probe.requests where request.path.count == 1 && request.path[0] != "" {
      if fields.contains(where: { $0.key == request.path[0] }) { continue }
      let isOptional = request.isOptional || request.type is any AnyOptionalType.Type
      fields.append(CompositeField(key: request.path[0], type: unwrapped(request.type), isOptional: isOptional))
    }
    return fields
  }

  /// The first class that a type is, or that it decodes for one of its parts, and the keys that lead there.
  ///
  /// Finds what decoding examples comes by: not the payloads of an enum's ninth case and later ones, nor what the
  /// type's own `init(from:)` makes without asking the decoder.
  static func firstClass(in type: any Any.Type) -> (any Any.Type, [String])? {
    let type = unwrapped(type)
    if type is AnyClass { return (type, []) }
    guard let type = CodableTypes.decodable(type), !(type is any _NativeValue.Type) else { return nil }
    func find<Value: Decodable>(_ type: Value.Type, _ example: Int) -> (any Any.Type, [String])? {
      let probe = ExampleProbe { _ in example }
      // A type may stop the program for a number that it does not allow. Most allow 1.
      probe.variesCasesOnly = true
      _ = try? type.init(from: PlaceholderDecoder(probe: probe))
      return probe.requests.first { unwrapped($0.type) is AnyClass }.map { ($0.type, $0.path.filter { $0 != "" }) }
    }
    return (1...8).lazy.compactMap { find(type, $0) }.first
  }

  package static func unwrapped(_ type: any Any.Type) -> any Any.Type {
    (type as? any AnyOptionalType.Type).map { unwrapped($0.wrappedType) } ?? type
  }
}
