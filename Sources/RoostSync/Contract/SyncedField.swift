package import RoostCore
import RoostSQL
package import SyncMerge

/// A column, or the links of a list, as it is synced.
///
/// A class, as each row asks for each of its fields.
package final class SyncedField: Sendable {
  package enum Kind: Sendable {
    case attribute(column: String)
    /// An attribute whose value is an array that is merged element by element.
    case elements(column: String)
    /// The key of another row.
    case reference(column: String, EntityInfo)
    /// The place in the list that a relationship makes the row a member of.
    case position(column: String, of: String)
    /// The rows of a join table.
    case links(JoinTable, EntityInfo)
  }

  package let kind: Kind
  package let property: PropertyInfo
  package let definition: SyncFieldDefinition
  /// nil for links.
  let column: String?
  let isReference: Bool
  /// nil for what is no attribute.
  let columnType: _ColumnType?
  /// How an attribute's column says that its value is in a file; nil for one whose values never are.
  var fileType: _ColumnType? { property.isExternal ? columnType : nil }
  /// Whether a fetch can read whatever integer its column has.
  let readsAllIntegers: Bool

  init(kind: Kind, property: PropertyInfo, definition: SyncFieldDefinition) {
    (self.kind, self.property, self.definition) = (kind, property, definition)
    column =
      switch kind {
      case .attribute(let column), .elements(let column), .reference(let column, _), .position(let column, _): column
      case .links: nil
      }
    isReference = if case .reference = kind { true } else { false }
    (columnType, readsAllIntegers) =
      if case .attribute(let codec) = property.kind {
        (codec.columnType, codec.semantics == .integer && Self.holdsAllIntegers(codec))
      } else {
        (nil, false)
      }
  }

  /// The field's value in a row for which nobody ever wrote it.
  var unwritten: SyncValue {
    if case .links = kind { return .list([]) }
    guard case .attribute(let codec) = property.kind, let value = StoredDefault.value(property, codec) else {
      return .null
    }
    return SyncValue(value)
  }

  /// Whether the default differs from row to row.
  var differsByRow: Bool {
    guard case .attribute(let codec) = property.kind, case .each? = StoredDefault(property, codec) else { return false }
    return true
  }

  /// Whether a later program may write what this one cannot read, such as a new case of an enum, or a
  /// number that its type does not have.
  var mayBeUnreadable: Bool {
    guard case .attribute(let codec) = property.kind else { return false }
    return switch codec.semantics {
    case .string, .data, .real, .date: false
    default: true
    }
  }

  /// Whether a fetch can read a value.
  func canRead(_ stored: SQLValue) -> Bool {
    if readsAllIntegers, case .integer = stored { return true }
    guard case .attribute(let codec) = property.kind else { return true }
    return Self.holds(stored, codec)
  }

  /// What an attribute's column makes of a value that another program has, where the type is another one there.
  func converted(_ stored: SQLValue) -> SQLValue {
    switch (columnType, stored) {
    case (.integer, .real(let number)): return Int64(exactly: number).map { .integer($0) } ?? stored
    case (.integer, .text(let text)): return Int64(text).map { .integer($0) } ?? stored
    case (.text, .integer(let number)): return .text("\(number)")
    case (.text, .real(let number)): return .text("\(number)")
    default: return stored
    }
  }

  /// Whether a row cannot be there without the one that it refers to.
  var isRequiredReference: Bool { isReference && !property.isOptional }

  /// Whether an attribute's column must have a value.
  var isRequiredAttribute: Bool {
    guard case .attribute = property.kind else { return false }
    return !property.isOptional
  }

  /// What an attribute that must have a value shows where there is none.
  var standIn: SyncValue? {
    guard case .attribute(let codec) = property.kind else { return nil }
    return property.standIn(codec).map(value)
  }

  /// Whether a value may be one that nobody wrote: a default that differs by row, or what stands for none.
  func mayBeNobodys(_ value: SyncValue) -> Bool {
    differsByRow || isRequiredAttribute && unwritten == .null && value == standIn
  }

  var isLinks: Bool { if case .links = kind { true } else { false } }
  var isPosition: Bool { if case .position = kind { true } else { false } }
}

extension SyncedField {
  /// What of a property is synced: nothing, one column, or a reference and a place in a list.
  static func fields(
    of property: PropertyInfo, in entity: EntityInfo, _ joins: [JoinTable], isSynced: (EntityInfo) -> Bool
  ) throws -> [SyncedField] {
    let name = name(of: property, in: entity)
    let rule = property.options.lazy.compactMap(\.mergeRule).first
    if rule != nil, property.relationship != nil {
      throw unsyncable(property, entity, "A relationship has no merge rule.", "Remove .merge(…).")
    }
    switch property.kind {
    case .attribute(let codec):
      guard let column = property.column else { return [] }
      let policy = rule.map(SyncMergePolicy.init) ?? .lastWriter
      let isList = policy == .set || policy == .orderedList
      if isList, codec.semantics != .json || !isArrayOrSet(codec) {
        throw unsyncable(
          property, entity, "Only arrays and sets are merged element by element.", "Use another rule in .merge(…).")
      }
      if policy == .counter, codec.semantics != .integer, codec.semantics != .real {
        throw unsyncable(property, entity, "Only numbers are merged as counters.", "Use another rule in .merge(…).")
      }
      // A sum that the type cannot have is a row that no fetch can read.
      if policy == .counter, !holdsAllIntegers(codec) {
        throw unsyncable(
          property, entity, "What several devices add may be more, or less, than its type holds.", "Make it an Int.")
      }
      if policy == .max || policy == .min, !codec.semantics.isOrderedAsStored {
        throw unsyncable(
          property, entity, "The server would compare what the column has, which is not in the order of its values.",
          "Make it an Int, a Double, a Date or a String, or use another rule in .merge(…).")
      }
      return [
        SyncedField(
          kind: isList ? .elements(column: column) : .attribute(column: column), property: property,
          definition: SyncFieldDefinition(name, policy: policy))
      ]
    case .toOne(let relationship):
      guard let column = property.column else { return [] }
      let destination = relationship.destination
      try check(destination.root, isSynced, property, entity)
      let inverse = relationship.inverse.map { destination.properties[$0] }
      let rule = inverse?.relationship?.deleteRule ?? .nullify
      // A one-to-one relationship has a column on either side.
      let partner = inverse.flatMap { $0.column == nil ? nil : Self.name(of: $0, in: $0.owner).name }
      let reference = SyncedField(
        kind: .reference(column: column, destination.root), property: property,
        definition: SyncFieldDefinition(
          name,
          reference: rule == .noAction && partner == nil && relationship.deleteRule != .cascade
            ? nil
            : SyncReference(
              to: destination.root.name, deleteRule: SyncReference.DeleteRule(rule), isRequired: !property.isOptional,
              inverse: partner, takesAlong: relationship.deleteRule == .cascade)))
      guard let inverse, inverse.isList else { return [reference] }
      let placeName = SyncName(
        name.name + positionSuffix, originalName: name.originalName.map { $0 + positionSuffix })
      let place = SyncedField(
        kind: .position(column: positionColumnName(of: column), of: column), property: property,
        definition: SyncFieldDefinition(placeName))
      return [reference, place]
    case .toMany(let relationship):
      guard case .joinTable(let table, let own, _) = relationship.storage,
        let join = joins.first(where: { $0.name == table && $0.ownerColumn == own })
      else { return [] }
      try check(relationship.destination.root, isSynced, property, entity)
      let inverse = relationship.inverse.map { relationship.destination.properties[$0] }
      let otherSide = inverse.flatMap { inverse in
        inverse.isLocalOnly
          ? nil
          : inverse.relationship.map {
            SyncOtherSide(
              of: relationship.destination.root.name, Self.name(of: inverse, in: inverse.owner),
              reference: reference(of: $0))
          }
      }
      return [
        SyncedField(
          kind: .links(join, relationship.destination.root), property: property,
          definition: SyncFieldDefinition(
            name, policy: .set, reference: reference(of: relationship), otherSide: otherSide))
      ]
    }
  }

  /// What a many-to-many relationship is to the server.
  private static func reference(of relationship: RelationshipInfo) -> SyncReference {
    let rule = relationship.inverse.flatMap { relationship.destination.properties[$0].relationship?.deleteRule }
    return SyncReference(
      to: relationship.destination.root.name,
      // Join rows go with either side.
      deleteRule: rule.flatMap { $0 == .noAction ? nil : SyncReference.DeleteRule($0) } ?? .nullify,
      takesAlong: relationship.deleteRule == .cascade)
  }

  private static func holds<Codec: _AttributeCodec>(_ value: SQLValue, _ codec: Codec.Type) -> Bool {
    codec.decode(value) != nil
  }

  /// Whether an attribute's JSON is an array of elements that may be put in and taken out one by one: not that
  /// of a dictionary, or of a struct.
  private static func isArrayOrSet<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Bool {
    let type = (Codec.Value.self as? any AnyOptionalType.Type)?.wrappedType ?? Codec.Value.self
    return type is any ArrayOrSet.Type
  }

  private static func holdsAllIntegers<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Bool {
    holds(.integer(.min), codec) && holds(.integer(.max), codec)
  }

  /// What follows a relationship's name in that of the place which a row has in a list.
  static let positionSuffix = ".position"

  /// What the server knows a property by: those of classes that inherit are told from each other.
  static func name(of property: PropertyInfo, in entity: EntityInfo) -> SyncName {
    let isOfRoot = entity.superentity == nil
    let name = isOfRoot ? property.name : "\(entity.name).\(property.name)"
    let former = isOfRoot ? property.originalName : "\(entity.originalName ?? entity.name).\(property.originalName)"
    return SyncName(name, originalName: former == name ? nil : former)
  }

  private static func check(
    _ destination: EntityInfo, _ isSynced: (EntityInfo) -> Bool, _ property: PropertyInfo, _ entity: EntityInfo
  ) throws {
    if isSynced(destination) { return }
    throw unsyncable(
      property, entity, "It refers to \(destination.name), which is not synced.",
      "Sync \(destination.name) too, or leave the property on the device: @Relationship(.localOnly).")
  }

  private static func unsyncable(
    _ property: PropertyInfo, _ entity: EntityInfo, _ reason: String, _ remedy: String
  ) -> SwiftDataError {
    SwiftDataError(
      .invalidSchema, "It cannot be synced. \(reason)", model: entity.name, property: property.name, remedy: remedy)
  }
}

extension PropertyInfo {
  /// What a column has that must have a value, where there is none; nil where the type refuses every example.
  func standIn<Codec: _AttributeCodec>(_ codec: Codec.Type) -> SQLValue? {
    placeholder(codec).flatMap { try? codec.encode($0) }
  }
}

/// What has one element of JSON for each of its own: of other collections, such as an `IndexSet`, that is not so.
private protocol ArrayOrSet {}
extension Array: ArrayOrSet {}
extension Set: ArrayOrSet {}

extension _ColumnSemantics {
  /// Whether values have the order of what the column has.
  fileprivate var isOrderedAsStored: Bool {
    switch self {
    // Of an enum of texts nobody means the alphabet.
    case .decimal, .unsigned, .rawValue(.string), .json, .opaque, .transformed: false
    case .rawValue(let raw): raw.isOrderedAsStored
    default: true
    }
  }
}

extension SyncMergePolicy {
  init(_ rule: Schema.AttributeMerge) {
    self =
      switch rule {
      case .lastWriter: .lastWriter
      case .counter: .counter
      case .max: .max
      case .min: .min
      case .set: .set
      case .orderedList: .orderedList
      case .keepBoth: .keepBoth
      case .custom: .custom
      }
  }
}

extension SyncReference.DeleteRule {
  init(_ rule: Schema.Relationship.DeleteRule) {
    self =
      switch rule {
      case .cascade: .cascade
      case .deny: .deny
      case .nullify: .nullify
      case .noAction: .noAction
      }
  }
}
