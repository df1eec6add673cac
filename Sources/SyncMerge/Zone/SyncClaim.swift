/// Values that one row of a class may have.
package struct SyncClaim: Hashable, Sendable, Codable {
  package let entity: Int
  /// The numbers of the fields.
  package let fields: [Int]
  package let values: [SyncValue]

  package init(entity: Int, fields: [Int], values: [SyncValue]) {
    (self.entity, self.fields, self.values) = (entity, fields, values)
  }

  /// What a row claims: nothing if it is deleted, or has no value in one of the fields.
  init?(_ record: SyncRecord, _ fields: [Int]) {
    guard record.deletion == nil, !fields.isEmpty else { return nil }
    let values = fields.map { record.fields[$0]?.value ?? .null }
    if values.contains(.null) { return nil }
    self.init(entity: record.row.entity, fields: fields, values: values)
  }
}
