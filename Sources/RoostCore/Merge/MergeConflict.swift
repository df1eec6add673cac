import RoostSQL

/// A model that a context edited while others changed the same properties of its row, or deleted it.
///
/// ```swift
/// for conflict in error.conflicts {
///   if let title = conflict.values(of: \Note.title) {
///     print("\(title.ancestor) became \(title.own) here, and \(title.store) in the store")
///   }
/// }
/// ```
/// What Core Data calls `NSMergeConflict`.
public struct MergeConflict: Sendable, CustomStringConvertible {
  /// Which values to keep.
  public enum Side: Hashable, Sendable {
    /// The context's.
    case own
    /// The store's.
    case store
  }

  /// One property's values; each is nil where it is not known, as when it was in a file that is gone.
  public struct Values<Value> {
    /// What the context had read before it was edited.
    public let ancestor: Value?
    /// What it was edited to.
    public let own: Value?
    /// What the store has by now.
    public let store: Value?
  }

  /// The model, which the context has by ``ModelContext/model(for:)``.
  public let persistentModelID: PersistentIdentifier
  /// The properties that both sides changed, to different values; none for a row that is gone.
  public let propertyNames: [String]
  /// Whether the row is gone.
  public let isDeleted: Bool
  private let entity: EntityInfo
  /// What the entity is of: other classes' are there for as long.
  private let schema: SchemaInfo
  /// As the columns have them.
  let columns: [ConflictingValues]
  /// Values that were read from files.
  private let files: [SQLValue: SQLValue]
  /// Models without a row, which relationships refer to.
  private let newModels: [Int64: PersistentIdentifier]
  private let scopes: [IdentifierScope]

  init(_ found: FoundConflict, in core: ContextCore) {
    let state = (ordinal: found.model._$state.ordinal, key: found.model._$state.key)
    let entity = core.schema.entities[state.ordinal]
    (self.entity, schema) = (entity, core.schema)
    scopes = core.store.scopes
    persistentModelID = PersistentIdentifier(scope: scopes[state.ordinal], key: state.key)
    isDeleted = found.isDeleted
    columns = found.values
    propertyNames = found.values.map { entity.properties[$0.index].name }
    var (files, newModels): ([SQLValue: SQLValue], [Int64: PersistentIdentifier]) = ([:], [:])
    for values in found.values {
      let property = entity.properties[values.index]
      if property.isExternal, case .attribute(let codec) = property.kind {
        for value in [values.ancestor, values.own, values.store] {
          // One whose file is gone stays unknown.
          files[value] = core.store.fileValue(value, codec.columnType)
        }
      }
      if let destination = property.relationship?.destination, case .integer(let key) = values.own, key < 0 {
        newModels[key] = core.existing(ordinal: destination.ordinal, key: key)?.persistentModelID
      }
    }
    (self.files, self.newModels) = (files, newModels)
  }

  /// The values of an attribute; nil when it is not among those that both sides changed.
  public func values<Model: PersistentModel, Value>(of keyPath: KeyPath<Model, Value>) -> Values<Value>? {
    guard let (property, values) = found(keyPath), case .attribute(let codec) = property.kind else { return nil }
    func value(_ column: SQLValue) -> Value? {
      let column = files[column] ?? column
      func decode<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Value? {
        guard let value = codec.decode(column) else { return nil }
        return value as? Value
      }
      return decode(codec)
    }
    return Values(ancestor: value(values.ancestor), own: value(values.own), store: value(values.store))
  }

  /// The models that a relationship refers to; nil when it is not among those that both sides changed.
  public func values<Model: PersistentModel, Target: PersistentModel>(
    of keyPath: KeyPath<Model, Target?>
  ) -> Values<PersistentIdentifier?>? { targets(keyPath) }

  /// The models that a relationship refers to; nil when it is not among those that both sides changed.
  public func values<Model: PersistentModel, Target: PersistentModel>(
    of keyPath: KeyPath<Model, Target>
  ) -> Values<PersistentIdentifier?>? { targets(keyPath) }

  private func found(_ keyPath: AnyKeyPath) -> (PropertyInfo, ConflictingValues)? {
    guard let index = entity.byKeyPath[keyPath] ?? entity.required(keyPath)?.index,
      let values = columns.first(where: { $0.index == index })
    else { return nil }
    return (entity.properties[index], values)
  }

  private func targets(_ keyPath: AnyKeyPath) -> Values<PersistentIdentifier?>? {
    guard let (property, values) = found(keyPath), let destination = property.relationship?.destination else {
      return nil
    }
    func target(_ column: SQLValue) -> PersistentIdentifier? {
      guard case .integer(let key) = column else { return nil }
      return key < 0 ? newModels[key] : PersistentIdentifier(scope: scopes[destination.ordinal], key: key)
    }
    return Values(
      ancestor: .some(target(values.ancestor)), own: .some(target(values.own)), store: .some(target(values.store)))
  }

  /// The model's entity and key, and the properties' names.
  public var description: String {
    let place = "\(persistentModelID.entityName) \(persistentModelID.key)"
    return isDeleted ? "\(place) was deleted" : "\(place): \(propertyNames.joined(separator: ", "))"
  }
}

/// What the column of a property had, would have and has.
struct ConflictingValues {
  let index: Int
  let ancestor: SQLValue
  let own: SQLValue
  let store: SQLValue
  /// What the attribute's rule makes of these; nil where none decides.
  var merged: SQLValue?
}

/// A conflict, while the context is at work on it.
struct FoundConflict {
  let model: any PersistentModel
  private(set) var values: [ConflictingValues]
  let isDeleted: Bool

  /// The same without some of the values; nil where nothing is left.
  func without(_ isMeant: (any PersistentModel, ConflictingValues) -> Bool) -> FoundConflict? {
    var rest = self
    rest.values.removeAll { isMeant(model, $0) }
    return rest.isDeleted || !rest.values.isEmpty ? rest : nil
  }
}

/// Thrown in a save's transaction, which ends with it: a policy decides outside what comes of it.
struct FoundConflicts: Error, @unchecked Sendable {
  // SAFETY: caught by the save that it is thrown in, on the context's own actor.
  let conflicts: [FoundConflict]

  /// Those that no attribute's rule decides, without the values that one does.
  var undecided: [FoundConflict] { conflicts.compactMap { $0.without { $1.merged != nil } } }
}

extension SwiftDataError {
  static func mergeConflict(_ conflicts: [MergeConflict]) -> SwiftDataError {
    let first = conflicts.prefix(5).map(\.description).joined(separator: "; ")
    let rest = conflicts.count > 5 ? "; and \(conflicts.count - 5) more" : ""
    return SwiftDataError(
      conflicts: conflicts,
      "Others have changed what is to be saved, and nothing was written: \(first)\(rest).",
      remedy: "Decide the error's conflicts by context.resolve(_:keeping:) and save again, or roll back.")
  }
}
