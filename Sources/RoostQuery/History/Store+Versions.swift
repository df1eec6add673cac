import Foundation
import RoostCore
import RoostEngine
import RoostSQL

extension Store {
  /// A row after each transaction that changed it.
  ///
  /// Changes tell what values were before them. So it goes back from the row as it is.
  func history<Model: PersistentModel>(
    of key: Int64, _ entity: EntityInfo, as type: Model.Type
  ) throws -> [ModelVersion<Model>] {
    let found = try reading { connection, reader -> (changes: [RowHistory], values: [Int: SQLValue]) in
      let numbers = Set(entity.root.selfAndDescendants.compactMap(reader.number(of:)))
      var changes: [RowHistory] = []
      try transactions(after: 0, connection) { row, packed in
        try reader.records(of: row, packed()) { record in
          guard record.key == key, numbers.contains(record.entity) else { return }
          changes.append(RowHistory(row: row, record: record, properties: reader.properties(of: record)))
        }
      }
      return (changes, try storedValues(of: key, entity, connection))
    }
    var values = found.values
    var versions: [ModelVersion<Model>] = []
    for change in found.changes.reversed() {
      // A deletion has what is kept of the row, an update what was before it, which is of the version before.
      if change.record.kind == .deleted {
        values = [:]
        change.apply(to: &values)
      }
      versions.append(change.version(of: type, values, store: self))
      switch change.record.kind {
      case .inserted: values = [:]
      case .updated: change.apply(to: &values)
      case .deleted: break
      }
    }
    return versions.reversed()
  }

  /// The attributes of a row, by the properties' indexes; none if it is gone.
  private func storedValues(
    of key: Int64, _ entity: EntityInfo, _ connection: Connection
  ) throws -> [Int: SQLValue] {
    let properties = entity.properties.filter { $0.isVersioned }
    let columns = properties.compactMap(\.column).map { SQLResultColumn(.column($0)) }
    if columns.isEmpty { return [:] }
    let select = SQLSelect(
      columns, from: .table(entity.table), where: .binary(.equal, .column(primaryKeyColumn), .parameter))
    let statement = try connection.statement(SQLitePrinter.template(select))
    defer { statement.reset() }
    statement.bind(key, at: 1)
    guard try statement.step() else { return [:] }
    var values: [Int: SQLValue] = [:]
    for (column, property) in properties.enumerated() { values[property.index] = statement.sqlValue(Int32(column)) }
    return values
  }
}

/// What a transaction did to a row.
private struct RowHistory {
  let row: HistoryRow
  let record: RecordedChange
  /// Those of the record's fields, where the program has them.
  let properties: [PropertyInfo?]

  /// Puts the values of the record in place of others; what was not kept is not known.
  func apply(to values: inout [Int: SQLValue]) {
    for (place, property) in properties.enumerated() {
      guard let property else { continue }
      values[property.index] = record.values?[place]
    }
  }

  func version<Model: PersistentModel>(
    of type: Model.Type, _ values: [Int: SQLValue], store: Store
  ) -> ModelVersion<Model> {
    let entity = store.schema.entity(for: type)
    var decoded: [PartialKeyPath<Model>: Any] = [:]
    for (index, value) in values {
      guard let property = entity?.properties[index], property.isVersioned,
        let path = property.keyPath as? PartialKeyPath<Model>
      else { continue }
      decoded[path] = property.decoded(value)
    }
    let kinds: [HistoryTables.Kind: ModelVersion<Model>.Change] = [
      .inserted: .insertion, .updated: .update, .deleted: .deletion,
    ]
    let updated = properties.compactMap { ($0?.keyPath as? PartialKeyPath<Model>)?.sendable }
    return ModelVersion(
      transactionIdentifier: row.number, token: DefaultHistoryToken(store: store.identifier, transaction: row.number),
      timestamp: Date(timeIntervalSinceReferenceDate: row.time), author: row.author,
      change: kinds[record.kind] ?? .update, updatedAttributes: record.kind == .updated ? updated : [], values: decoded)
  }
}

extension PropertyInfo {
  /// Whether former values are values: an attribute in a column, and not in a file.
  fileprivate var isVersioned: Bool {
    if case .attribute = kind { column != nil && !isExternal } else { false }
  }
}
