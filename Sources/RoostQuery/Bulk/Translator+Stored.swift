import RoostCore
import RoostSQL

extension Translator {
  /// A term in the form that a property's column keeps it in.
  func stored(
    _ term: Term, in property: PropertyInfo, _ codec: any _AttributeCodec.Type, of entity: EntityInfo
  ) throws -> SQLExpression {
    switch term {
    case .constant(let value): return .value(try encode(value, codec, property, of: entity))
    case .value(let value): return try stored(value, in: property, codec, of: entity)
    case .optional(let isNil, .constant(let value)):
      return Self.unless(isNil, .value(try encode(value, codec, property, of: entity)))
    case .optional(let isNil, .value(let value)):
      return Self.unless(
        isNil, try guarded(by: .negation(isNil)) { try stored(value, in: property, codec, of: entity) })
    case .external(let source), .optional(_, .external(let source)): throw SwiftDataError.externalKeyPath(source)
    default:
      throw ColumnChange.unsettable(
        property, of: entity, "SQL has no such value.", remedy: "Set the property of each model.")
    }
  }

  private static func unless(_ isNil: SQLExpression, _ value: SQLExpression) -> SQLExpression {
    if isNil == .false || isNil == .isNull(value) { return value }
    return .conditional([SQLBranch(when: isNil, then: .null)], otherwise: value)
  }

  private func stored(
    _ value: ValueTerm, in property: PropertyInfo, _ codec: any _AttributeCodec.Type, of entity: EntityInfo
  ) throws -> SQLExpression {
    let target = ColumnMeaning(codec)
    var isSame =
      value.meaning.semantics == target.semantics && value.meaning.codec.columnType == target.codec.columnType
    switch target.semantics {
    case .json, .opaque, .transformed:
      // Of the parts of a value SQL does not know the very text that an encoder would write.
      guard case .column = value.sql else { isSame = false; break }
      isSame = value.meaning.codec == target.codec
    default: break
    }
    guard isSame else {
      throw ColumnChange.unsettable(
        property, of: entity, "SQL cannot make its values of others.", remedy: "Set the property of each model.")
    }
    // NULL in place of NaN would be nil.
    if value.mayBeNaN { fail(when: .isNull(value.sql)) }
    // What is too large for a `Decimal`.
    if target.semantics == .decimal { fail(when: .binary(.equal, value.sql, .text("NaN"))) }
    return value.sql
  }

  private func encode(
    _ value: Any, _ codec: any _AttributeCodec.Type, _ property: PropertyInfo, of entity: EntityInfo
  ) throws -> SQLValue {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) throws -> SQLValue? {
      try (value as? Codec.Value).map { try Codec.encode($0) }
    }
    do {
      if let encoded = try open(codec) { return encoded }
    } catch {
      throw SwiftDataError.validation(
        model: entity.name, property: property.name, row: nil,
        "The value cannot be stored: \(SwiftDataError.reason(error, tellsValues: tellsValues))",
        remedy: "Set another value.")
    }
    throw ColumnChange.unsettable(
      property, of: entity, "The value is of another type.", remedy: "Set a value of the property's type.")
  }
}

extension ModelContext {
  /// The key of the model that a relationship is set to.
  func key(
    of term: Term, for property: PropertyInfo, _ relationship: RelationshipInfo, of entity: EntityInfo
  ) throws -> SQLExpression {
    let inverse = relationship.inverse.map { relationship.destination.properties[$0] }
    if let inverse, !inverse.isList {
      throw ColumnChange.unsettable(
        property, of: entity,
        "`\(inverse.owner.name).\(inverse.name)` leads back to one model, and would have to change.",
        remedy: "Set it in each model.")
    }
    if let inverse, inverse.relationship?.minimumCount != nil || inverse.relationship?.maximumCount != nil {
      throw ColumnChange.unsettable(
        property, of: entity, "`\(inverse.owner.name).\(inverse.name)` has a least or greatest number of models.",
        remedy: "Set it in each model.")
    }
    guard case .constant(let value) = term else {
      throw ColumnChange.unsettable(
        property, of: entity, "A relationship can be set to a model, or to nil.", remedy: "Set it in each model.")
    }
    let unwrapped = (value as? any AnyOptional).map(\.wrappedValue) ?? value
    guard let unwrapped else { return .null }
    guard let target = (unwrapped as? any PersistentModel)?._$registered, target.modelContext === self,
      !target.isDeleted
    else {
      throw SwiftDataError.validation(
        model: entity.name, property: property.name, row: nil,
        "The model that the relationship is set to is deleted, or not of this context.",
        remedy: "Look it up in this context, with model(for:).")
    }
    guard target._$state.key > 0 || parent != nil else {
      throw SwiftDataError.validation(
        model: entity.name, property: property.name, row: nil,
        "The model that the relationship is set to has no row yet.", remedy: "Save the context first.")
    }
    return .integer(target._$state.key)
  }
}
