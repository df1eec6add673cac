package import RoostEngine
package import RoostSQL

/// What an edit that is not saved yet becomes where others have changed the same attribute
/// since, for attributes with a rule.
///
/// The rules are those that devices merge by, so what works beside the store gives them. They come before the context's
/// ``ModelContext/MergePolicy``, which is about what can only be one side's.
package struct AttributeMerges: Sendable {
  /// Merges columns, or the values of files: what the edit was made of, what the store has, and the edit.
  /// nil for what cannot be merged.
  package typealias Merge = @Sendable (_ ancestor: SQLValue, _ stored: SQLValue, _ own: SQLValue) -> SQLValue?

  package enum Rule: Sendable {
    /// One value is made of both.
    case merged(Merge)
    /// The edit is written, and what it writes over is noted by ``noteOverwritten``.
    case keptBeside
  }

  /// By the entity's ordinal, and the property's index.
  private let rules: [[Int: Rule]]
  /// Notes, within the save's transaction, that a save writes over a value that its context did not know.
  let noteOverwritten: @Sendable (OverwrittenValue, Connection) throws -> Void

  /// nil where no attribute of the schema has such a rule.
  package init?(
    _ schema: SchemaInfo, noteOverwritten: @escaping @Sendable (OverwrittenValue, Connection) throws -> Void,
    rule: (PropertyInfo) -> Rule?
  ) {
    self.noteOverwritten = noteOverwritten
    rules = schema.entities.map { entity in
      Dictionary(
        uniqueKeysWithValues: entity.properties.compactMap { property in rule(property).map { (property.index, $0) } })
    }
    if rules.allSatisfy(\.isEmpty) { return nil }
  }

  subscript(ordinal: Int, index: Int) -> Rule? { rules[ordinal][index] }

  /// The attributes of an entity that have a rule.
  func attributes(of ordinal: Int) -> PropertySet { PropertySet(Array(rules[ordinal].keys)) }
}

/// A value that a save writes over, and whose context knew another one.
package struct OverwrittenValue {
  package let property: PropertyInfo
  /// The row's.
  package let key: Int64
  /// What the edit was made of.
  package let ancestor: SQLValue
}

extension ContextCore {
  /// How an attribute is merged; nil where the context's policy decides.
  func rule(of model: any PersistentModel, _ index: Int) -> AttributeMerges.Rule? {
    merges?[model._$state.ordinal, index]
  }

  /// Whether an edit of an attribute is written, and what it writes over is kept beside it.
  func keepsBeside(_ model: any PersistentModel, _ index: Int) -> Bool {
    if case .keptBeside? = rule(of: model, index) { true } else { false }
  }

  /// What an attribute's rule makes of an edit and of what others wrote; nil where it has none, or cannot.
  func merged(_ values: ConflictingValues, of model: any PersistentModel) -> SQLValue? {
    let property = schema.entities[model._$state.ordinal].properties[values.index]
    guard case .merged(let merge)? = rule(of: model, values.index) else { return nil }
    return merge(values.ancestor, values.store, values.own).flatMap { property.image(of: $0) == nil ? nil : $0 }
  }

  /// The value of a column, from its file if it is in one; nil where that is gone.
  func content(_ column: SQLValue, _ property: PropertyInfo) -> SQLValue? {
    guard property.isExternal, case .attribute(let codec) = property.kind,
      ExternalReference.name(column, in: codec.columnType) != nil
    else { return column }
    return store.fileValue(column, codec.columnType)
  }

  /// Notes the values that a save is about to write over and that its context did not
  /// know. Returns the other conflicts.
  func noteOverwritten(_ conflicts: [FoundConflict], _ connection: Connection) throws -> [FoundConflict] {
    guard let merges else { return conflicts }
    for conflict in conflicts {
      let state = (ordinal: conflict.model._$state.ordinal, key: conflict.model._$state.key)
      for values in conflict.values where keepsBeside(conflict.model, values.index) {
        let property = schema.entities[state.ordinal].properties[values.index]
        let overwritten = OverwrittenValue(property: property, key: state.key, ancestor: values.ancestor)
        try merges.noteOverwritten(overwritten, connection)
      }
    }
    return conflicts.compactMap { $0.without { keepsBeside($0, $1.index) } }
  }

  /// Replaces edits by what the rules make of them and of what others have written.
  func takeMerged(_ found: FoundConflicts) {
    editing {
      for conflict in found.conflicts {
        for values in conflict.values { if let merged = values.merged { take(merged, values, conflict.model) } }
      }
    }
  }

  private func take(_ merged: SQLValue, _ values: ConflictingValues, _ model: any PersistentModel) {
    let property = schema.entities[model._$state.ordinal].properties[values.index]
    guard let image = property.image(of: merged) else { return }
    model._$state.noteAncestor(values.index, values.store)
    if property.isSame(merged, values.own) { return }
    model._$announce(values.index, willChange: true)
    model._$edit(values.index, .restore(image))
    pending.restore(model, values.index, isChanged: true)
    model._$announce(values.index, willChange: false)
  }
}

extension PropertyInfo {
  /// The slot of an attribute that has the value of a column; nil for one that is none of its type.
  func image(of column: SQLValue) -> SlotImage? {
    guard case .attribute(let codec) = kind else { return nil }
    func image<Codec: _AttributeCodec>(_ codec: Codec.Type) -> SlotImage? {
      guard let value = codec.decode(column) else { return nil }
      var attribute = _Attribute<Codec>()
      attribute.value = value
      return .attribute(attribute)
    }
    return image(codec)
  }
}
