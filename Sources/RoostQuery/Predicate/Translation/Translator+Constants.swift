internal import Foundation
import RoostCore
internal import RoostSQL

extension Translator {
  /// A constant in the form that a column has; nil for NaN, which no column holds.
  func encode(_ value: Any, as meaning: ColumnMeaning, _ node: some PredicateExpression) throws -> SQLValue? {
    if isNaN(value) { return nil }
    if let url = value as? URL, url.baseURL != nil {
      throw unsupported(node, "A stored URL has no base: compare with its `absoluteURL`.")
    }
    do {
      if let encoded = try open(meaning.codec, value) { return encoded }
    } catch {
      throw unsupported(node, "The constant cannot be stored: \(reason(error))")
    }
    throw unsupported(node, "The constant is of another type than the property.")
  }

  private func open<Codec: _AttributeCodec>(_ codec: Codec.Type, _ value: Any) throws -> SQLValue? {
    if let value = value as? Codec.Value { return try Codec.encode(value) }
    if let text = value as? any StringProtocol, Codec.Value.self == String.self { return .text(String(text)) }
    return nil
  }

  private func isNaN(_ value: Any) -> Bool {
    switch value {
    case let value as Double: value.isNaN
    case let value as Float: value.isNaN
    case let value as Date: value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }

  /// A constant as a term of its own, in the form of values of its type.
  func lift(_ value: Any, type: Any.Type, _ node: some PredicateExpression) throws -> Term {
    if let optional = value as? any AnyOptional {
      let wrapped = (type as? any AnyOptionalType.Type)?.wrappedType ?? type
      guard let inner = optional.wrappedValue else { return .optional(isNil: .true, try missing(wrapped, node)) }
      return .optional(isNil: .false, try lift(inner, type: wrapped, node))
    }
    if value is any PersistentModel || value is PersistentIdentifier { return .constant(value) }
    guard let meaning = ColumnMeaning(type: type == String.self || value is any StringProtocol ? String.self : type)
    else { throw unsupported(node, "`\(type)` has no column of its own to compute with.") }
    return .value(try lift(value, as: meaning, node))
  }

  func lift(_ value: Any, as meaning: ColumnMeaning, _ node: some PredicateExpression) throws -> ValueTerm {
    let encoded = try encode(value, as: meaning, node)
    return ValueTerm(sql: .value(encoded ?? .null), meaning: meaning, mayBeNaN: encoded == nil)
  }

  /// What stands inside nil: nothing that is ever looked at.
  private func missing(_ type: Any.Type, _ node: some PredicateExpression) throws -> Term {
    if let type = type as? any AnyOptionalType.Type {
      return .optional(isNil: .true, try missing(type.wrappedType, node))
    }
    return .value(ValueTerm(sql: .null, meaning: ColumnMeaning(type: type) ?? .integer))
  }

  /// A term that is a value, with a constant lifted in the form of `like` or of the type.
  func value(
    _ term: Term, type: Any.Type, like: Term? = nil, _ node: some PredicateExpression
  ) throws -> ValueTerm {
    switch term {
    case .value(let value): return value
    case .constant(let constant):
      if case .value(let like)? = like { return try lift(constant, as: like.meaning, node) }
      if case .value(let value) = try lift(constant, type: type, node) { return value }
      throw unsupported(node, "It is no plain value.")
    default: throw unsupported(node, "It is no plain value.")
    }
  }

  /// The key of a model or identifier, if it can be that of a row of the entity. One that is not saved yet has a
  /// temporary key, which is that of its pending row.
  func key(of value: Any, in entity: EntityInfo) -> SQLValue? {
    guard let identifier = (value as? any PersistentModel)?.persistentModelID ?? value as? PersistentIdentifier,
      entity.selfAndDescendants.contains(where: { $0.name == identifier.entityName })
    else { return nil }
    // Of a row, and yet a key that only models without one have; or the other way round.
    if identifier.isTemporary ? identifier.key >= 0 : identifier.key <= 0 { return nil }
    if let storeIdentifier, let other = identifier.storeIdentifier, other != storeIdentifier { return nil }
    return .integer(identifier.key)
  }
}
