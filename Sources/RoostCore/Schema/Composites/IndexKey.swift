package import RoostSQL

/// What an index or a unique constraint has of a row: a property, or a place in a composite attribute.
package struct IndexKey: Hashable, @unchecked Sendable {
  // SAFETY: immutable, and metatypes are shared by all threads.
  package let property: Int
  /// The JSON keys of the place; none for the property itself.
  package let keys: [String]
  /// The meaning of the values at that place.
  let meaning: ColumnMeaning?

  package init(property: Int) {
    self.property = property
    keys = []
    meaning = nil
  }

  /// nil when SQL could not compare the values.
  package init?(_ path: CompositePath, in property: PropertyInfo, isUnique: Bool) {
    let steps = path.keys.map { SQLJSONStep.key($0) }
    guard property.column != nil, steps.allSatisfy(\.isFindable),
      let meaning = ColumnMeaning.inJSON(path.type), meaning.baseSemantics != .json,
      !isUnique || meaning.isExactInIndex
    else { return nil }
    self.property = property.index
    keys = path.keys
    self.meaning = meaning
  }

  /// `address.city`.
  package func name(in entity: EntityInfo) -> String {
    ([entity.properties[property].name] + keys).joined(separator: ".")
  }

  /// What is indexed; nil for a property without a column.
  package func expression(in entity: EntityInfo, table: String? = nil) -> SQLExpression? {
    guard let name = entity.properties[property].column else { return nil }
    let column = SQLExpression.column(table: table, name: name)
    return meaning.map { $0.indexed(JSONPlace(text: column, steps: keys.map { .key($0) })) } ?? column
  }

  package static func == (left: IndexKey, right: IndexKey) -> Bool {
    left.property == right.property && left.keys == right.keys
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(property)
    hasher.combine(keys)
  }

  static func fields(in lists: [[IndexKey]]) -> [Int: Set<[String]>] {
    lists.joined().reduce(into: [:]) { fields, key in
      if !key.keys.isEmpty { fields[key.property, default: []].insert(key.keys) }
    }
  }
}
