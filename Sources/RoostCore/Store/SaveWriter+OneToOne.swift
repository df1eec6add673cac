import RoostEngine
import RoostSQL

// One-to-one relationships have a column on either side. The context keeps both in step as far as it knows; what
// another context or program linked meanwhile only the rows tell.
extension SaveWriter {
  /// Has rows let go of those that this save gave to others: each model has one partner.
  mutating func releaseFormerPartners() throws {
    if !store.schema.hasPartners { return }
    let hasMerged = saved.rows.contains(where: \.isMerged)
    for model in changes.updated {
      for property in store.schema.partners[model._$state.ordinal]
      where model._$state.isEdited(property.index) {
        try release(model, key: model._$state.key, property, isNew: false, hasMerged: hasMerged)
      }
    }
    for (model, row) in zip(changes.inserted, saved.rows) where row.ordinal == model._$state.ordinal {
      for property in store.schema.partners[row.ordinal] {
        try release(model, key: row.key, property, isNew: !row.isMerged, hasMerged: hasMerged)
      }
    }
  }

  private mutating func release(
    _ model: any PersistentModel, key: Int64, _ property: PropertyInfo, isNew: Bool, hasMerged: Bool
  ) throws {
    guard let column = property.column, let relationship = property.relationship, let inverse = relationship.inverse,
      let inverseColumn = relationship.destination.properties[inverse].column
    else { return }
    let named = model._$edit(property.index, .collect).keys.first ?? 0
    let partner = saved.keys[named]
    // One that is merged into an update may keep what the row has.
    if partner == 0 && !model._$state.changed.contains(property.index) { return }
    let isPartnerNew = partner >= firstKey(of: relationship.destination.root.ordinal)
    // Of models that are one row by now each has a partner: the row's is that of the last one.
    if partner > 0, hasMerged, !isNew { try link(column, of: property.owner.table, key, to: partner) }
    if partner > 0, !isPartnerNew {
      try nilOut(column, of: property.owner.table, where: partner, except: key)
      try link(inverseColumn, of: relationship.destination.table, partner, to: key)
    }
    if !isNew { try nilOut(inverseColumn, of: relationship.destination.table, where: key, except: partner) }
  }

  /// Has a row refer to another one.
  private mutating func link(_ column: String, of table: String, _ row: Int64, to other: Int64) throws {
    let name = quotedIdentifier(column)
    let statement = try connection.statement(
      "UPDATE \(quotedIdentifier(table)) SET \(name) = ? WHERE \(primaryKeyColumn) = ? AND \(name) IS NOT ?")
    for (place, value) in [other, row, other].enumerated() { statement.bind(value, at: Int32(place + 1)) }
    try statement.run()
    if connection.changes > 0 { saved.hasChangedOthers = true }
  }

  private mutating func nilOut(_ column: String, of table: String, where value: Int64, except key: Int64) throws {
    let name = quotedIdentifier(column)
    let statement = try connection.statement(
      "UPDATE \(quotedIdentifier(table)) SET \(name) = NULL WHERE \(name) = ? AND \(primaryKeyColumn) <> ?")
    statement.bind(value, at: 1)
    statement.bind(key, at: 2)
    try statement.run()
    if connection.changes > 0 { saved.hasChangedOthers = true }
  }
}
