/// What the file remembers of one key of a composite attribute.
package struct CompositeDefinition: Codable, Equatable, Sendable {
  package var name: String
  package var type: String
  package var isOptional: Bool
  package var fields: [CompositeDefinition]?

  /// The keys of a struct that is kept as JSON, in their alphabetical order; nil for other types.
  static func fields(of type: any Any.Type, depth: Int = 4) -> [CompositeDefinition]? {
    let fields = depth == 0 ? [] : CompositeFields.of(type)
    if fields.isEmpty { return nil }
    return fields.sorted { $0.key < $1.key }.map { field in
      CompositeDefinition(
        name: field.key, type: ColumnMeaning.inJSON(field.type).map { ValueTypeName.name(of: $0.codec) } ?? "JSON",
        isOptional: field.isOptional, fields: Self.fields(of: field.type, depth: depth - 1))
    }
  }
}

/// What became of the keys of a composite attribute.
package struct CompositeDifference {
  /// Why the values that are there cannot be read: a line each.
  package private(set) var changes: [String] = []
  /// Keys that each value must have, and that none had before.
  package private(set) var required: [[String]] = []

  package init() {}

  /// Keys that are gone, or that may be missing, make no difference to the values that are there.
  package mutating func compare(
    _ new: [CompositeDefinition], with old: [CompositeDefinition], at path: [String] = [], of property: String
  ) {
    let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for field in new {
      let place = path + [field.name]
      guard let known = before[field.name] else {
        if !field.isOptional { required.append(place) }
        continue
      }
      if known.type != field.type {
        changes.append("\(([property] + place).joined(separator: ".")): was \(known.type), is \(field.type)")
      } else if known.isOptional && !field.isOptional {
        required.append(place)
      }
      if let inner = field.fields, let knownInner = known.fields {
        compare(inner, with: knownInner, at: place, of: property)
      }
    }
  }
}
