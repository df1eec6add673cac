/// One persisted property. A class, so that passing it on costs nothing.
package final class PropertyInfo: @unchecked Sendable {
  // SAFETY: all is immutable; key paths and metatypes are so too.
  package let index: Int
  package let name: String
  package let keyPath: AnyKeyPath
  package let kind: Kind
  package let relationship: RelationshipInfo?
  /// The same property seen through an optional model.
  let chained: (() -> AnyKeyPath)?
  /// What a subclass's property shares with the one it inherits.
  package let details: PropertyDetails

  package init(
    index: Int, name: String, keyPath: AnyKeyPath, kind: Kind, chained: (() -> AnyKeyPath)?, details: PropertyDetails
  ) {
    self.index = index
    self.name = name
    self.keyPath = keyPath
    self.kind = kind
    relationship =
      switch kind {
      case .toOne(let info), .toMany(let info): info
      case .attribute: nil
      }
    self.chained = chained
    self.details = details
  }

  /// The step that leads to the property in longer key paths.
  var step: KeyPathStep? { KeyPathSteps(keyPath)?.properties.first }

  package enum Kind {
    case attribute(any _AttributeCodec.Type)
    case toOne(RelationshipInfo)
    case toMany(RelationshipInfo)
  }

  /// The column in the entity's own table; nil for a to-many relationship, and for what is not stored.
  package var column: String? {
    if case .toMany = kind { return nil }
    return isStored ? details.column : nil
  }

  /// False for an attribute whose changes count but which is not written.
  package var isStored: Bool {
    if case .attribute = kind { !options.contains(.ephemeral) } else { true }
  }

  /// Whether large values are in files beside the store, and the column then has the file's name.
  package var isExternal: Bool { details.isExternal && isStored }

  /// Why a query cannot look into the values; nil when it can.
  package var opacity: String? {
    guard case .attribute(let codec) = kind else { return nil }
    let (option, reader): (String, String)
    switch codec.semantics {
    case .opaque: (option, reader) = (".codable", "type")
    case .transformed: (option, reader) = (".transformable", "transformer")
    default: return nil
    }
    return "It is `\(option)`, so that only its own \(reader) reads what is stored: filter and sort the models that a"
      + " fetch gives."
  }

  /// Whether it refers to many models.
  package var isList: Bool {
    if case .toMany = kind { true } else { false }
  }

  /// Whether a relationship may refer to other models after changes of rows in some tables.
  func mayChange(with tables: Set<String>) -> Bool {
    guard let relationship else { return false }
    if tables.contains(owner.table) || tables.contains(relationship.destination.table) { return true }
    if case .joinTable(let name, _, _) = relationship.storage { return tables.contains(name) }
    return false
  }

  /// Whether the value may be nil.
  package var isOptional: Bool {
    switch kind {
    case .attribute(let codec): codec.isOptional
    case .toOne(let info), .toMany(let info): info.isOptional
    }
  }

  /// The name in an earlier version, or the same as `name`.
  package var originalName: String { details.originalName }
  package var valueType: any Any.Type { details.valueType }
  /// The declared default, evaluated anew; nil when there is none, or it is nil.
  package var defaultValue: Any? { details.defaultValue() }
  /// What the property reads as when its row is gone; nil when the type refuses every example.
  package func placeholder<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Codec.Value? {
    defaultValue as? Codec.Value ?? Placeholder.attribute(codec)
  }
  /// What `@Attribute` was given.
  package var options: [Schema.Attribute.Option] { details.options }
  /// What a new model with a value that a row has does.
  package var uniquenessPolicy: Schema.UniquenessPolicy { options.lazy.compactMap(\.uniquenessPolicy).first ?? .upsert }
  package var hashModifier: String? { details.hashModifier }
  /// Whether no two models may have the same value in this property alone.
  package var isUnique: Bool { options.contains(where: \.isUnique) || relationship?.isUnique ?? false }
  /// Whether the property is of this device alone.
  package var isLocalOnly: Bool { options.contains(.localOnly) || relationship?.isLocalOnly ?? false }
  /// Tells a model's observers that the property will change (true) or has changed.
  var notify: Schema.PropertyMetadata.Notify? { details.notify }
  /// Sets the property of a model when it is a `let`.
  package var assign: Schema.PropertyMetadata.Assign? { details.assign }
  /// The entity that declares the property; another than the one asked for when it is inherited.
  package var owner: EntityInfo { details.owner }
}

/// What a property is in the class that declares it and in those that inherit it.
package final class PropertyDetails: @unchecked Sendable {
  // SAFETY: only `column` can change, and it is set before the entity leaves its builder, as all of EntityInfo.
  // Metatypes are shared by all threads, and the functions are `Sendable`.
  unowned let owner: EntityInfo
  let originalName: String
  let valueType: any Any.Type
  let defaultValue: @Sendable () -> Any?
  let options: [Schema.Attribute.Option]
  let hashModifier: String?
  let notify: Schema.PropertyMetadata.Notify?
  let assign: Schema.PropertyMetadata.Assign?
  let isExternal: Bool
  /// Unlike the name when another subclass has a property of that name and another type.
  var column: String

  init(_ metadata: Schema.PropertyMetadata, owner: EntityInfo) {
    let attribute = metadata.metadata as? Schema.Attribute
    let relationship = metadata.metadata as? Schema.Relationship
    let originalName = attribute?.originalName ?? relationship?.originalName ?? ""
    self.owner = owner
    self.originalName = originalName.isEmpty ? metadata.name : originalName
    valueType = metadata.valueType
    defaultValue = metadata.defaultValue
    options = attribute?.options ?? []
    hashModifier = attribute?.hashModifier ?? relationship?.hashModifier
    notify = metadata.notify
    assign = metadata.assign
    isExternal = if case .attribute(_, isExternal: true) = metadata.kind { true } else { false }
    column = metadata.name
  }

  /// A property of a class that the program does not have.
  package init(
    _ property: EntityDefinition.Property, owner: EntityInfo, defaultValue: @escaping @Sendable () -> Any?
  ) {
    self.owner = owner
    originalName = property.originalName ?? property.name
    valueType = Any.self
    self.defaultValue = defaultValue
    options = []
    hashModifier = property.hashModifier
    notify = nil
    assign = nil
    isExternal = property.isExternal
    column = property.column ?? property.name
  }
}
