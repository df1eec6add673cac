import RoostCore
import RoostSQL
import SyncMerge

extension SyncContract {
  /// How an edit that a context has not saved yet is merged with what comes meanwhile: as two devices' edits are.
  ///
  /// Saved as it is, it would count as made of what came: a counter would lose what others added.
  func attributeMerges(_ schema: SchemaInfo) -> AttributeMerges? {
    var fields: [String: SyncedField] = [:]
    for field in entities.flatMap(\.fields) where !field.isPosition { fields[Self.name(of: field.property)] = field }
    return AttributeMerges(schema, noteOverwritten: OverwrittenValues.note) { property in
      guard let field = fields[Self.name(of: property)] else { return nil }
      let policy = field.definition.policy
      if policy == .keepBoth { return .keptBeside }
      if policy == .custom { return customMerge(of: property).map { .merged($0) } }
      guard policy.combines, field.column != nil else { return nil }
      return .merged { ancestor, stored, own in
        policy.merged(field.value(stored), field.value(own), ancestor: field.value(ancestor)).flatMap(field.column)
      }
    }
  }

  static func name(of property: PropertyInfo) -> String { "\(property.owner.name).\(property.name)" }

  /// The program's function; nil for an attribute that it does not merge.
  func merge(of property: PropertyInfo) -> CustomMerge? {
    merges.first { $0.model == property.owner.name && $0.property == property.name }
  }

  private func customMerge(of property: PropertyInfo) -> AttributeMerges.Merge? {
    guard let custom = merge(of: property) else { return nil }
    // As with a page: where the function gives what the row cannot have, the other's value stays.
    return { ancestor, stored, own in stored == own ? own : (try? custom.merge(ancestor, stored, own)) ?? stored }
  }
}

extension SyncedField {
  /// What the whole value of an attribute's column is to the server.
  func value(_ column: SQLValue) -> SyncValue {
    guard case .elements = kind, case .text(let text) = column, let elements = JSONElements.split(text) else {
      return SyncValue(column)
    }
    return .list(elements.map { .text($0) })
  }

  /// What an attribute's column has for a value; nil for what it cannot have.
  func column(_ value: SyncValue) -> SQLValue? {
    guard case .list(let elements) = value else { return value.stored.map(converted) }
    if value == .tooLarge { return nil }
    return .text(JSONElements.joined(elements.compactMap { if case .text(let text) = $0 { text } else { nil } }))
  }
}
