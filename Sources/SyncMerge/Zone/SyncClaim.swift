/// Values that one row of a class may have.
package struct SyncClaim: Hashable, Sendable {
  package let entity: Int
  /// The numbers of the fields.
  package let fields: [Int]
  package let values: [SyncValue]

  package init(entity: Int, fields: [Int], values: [SyncValue]) {
    (self.entity, self.fields, self.values) = (entity, fields, values)
  }

  /// What a row claims: nothing if it is deleted, or has no value in one of the fields.
  init?(_ record: SyncRecord, _ fields: [Int], _ registry: SyncRegistry) {
    guard record.deletion == nil, !fields.isEmpty else { return nil }
    let values = fields.map { record.fields[$0]?.value ?? registry.unwritten($0, of: record.row.entity) }
    if values.contains(.null) { return nil }
    self.init(entity: record.row.entity, fields: fields, values: values)
  }
}

extension SyncZoneStorage {
  /// The row that has unique values; nil for none.
  ///
  /// While a program had the constraint no more, nobody noted that a row gave its values up: it must have them still.
  func holder(of claim: SyncClaim, _ registry: SyncRegistry) throws -> SyncRowID? {
    guard let row = try claimant(of: claim), let record = try record(row) else { return nil }
    return SyncClaim(record, claim.fields, registry) == claim ? row : nil
  }
}
