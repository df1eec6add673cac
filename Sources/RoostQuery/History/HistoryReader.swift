import Foundation
package import RoostCore
package import RoostEngine
import RoostSQL

/// Makes transactions of what is stored of them.
package struct HistoryReader {
  private let store: Store
  private let connection: Connection
  private let numbers: HistoryNumbers

  package init(_ store: Store, _ connection: Connection) throws {
    (self.store, self.connection) = (store, connection)
    numbers = try store.historyNumbers(connection)
  }

  func transaction(_ row: HistoryRow, changes: [HistoryChange] = []) -> DefaultHistoryTransaction {
    DefaultHistoryTransaction(
      timestamp: Date(timeIntervalSinceReferenceDate: row.time), changes: changes,
      token: DefaultHistoryToken(store: store.identifier, transaction: row.number), transactionIdentifier: row.number,
      storeIdentifier: store.identifier, bundleIdentifier: row.bundle ?? "", processIdentifier: row.process ?? "",
      author: row.author, contextIdentifier: row.context.flatMap { UUID(uuidString: $0) },
      migration: row.migration)
  }

  /// The changes of a transaction, in order; `packed` are those that the program noted itself.
  func changes(of row: HistoryRow, packed: [UInt8]) throws -> [HistoryChange] {
    var changes: [HistoryChange] = []
    // Larger than all numbers of earlier transactions' changes.
    var number = row.number << 32
    try records(of: row, packed) { record in
      number += 1
      if let change = change(record, number, of: row) { changes.append(change) }
    }
    return changes
  }

  /// nil for an entity that the program does not know.
  private func change(_ record: RecordedChange, _ number: Int64, of row: HistoryRow) -> HistoryChange? {
    guard let entity = numbers.entities[record.entity] else { return nil }
    let place = HistoryPlace(
      change: number, transaction: row.number,
      identifier: PersistentIdentifier(scope: store.scopes[entity.ordinal], key: record.key),
      row: RowIdentity(
        origin: store.identifier, entity: numbers.number(of: entity.root) ?? record.entity, key: record.key))
    let known = numbers.properties[record.entity] ?? [:]
    switch record.kind {
    case .inserted: return .insert(place.insert(entity.type))
    case .updated:
      let updated = record.fields.compactMap { known[$0] }.sorted { $0.index < $1.index }
      return .update(place.update(entity.type, updated))
    case .deleted: return .delete(place.delete(entity.type, kept(record, known)))
    }
  }

  private func kept(_ record: RecordedChange, _ properties: [Int64: PropertyInfo]) -> [(PropertyInfo, Any)] {
    zip(record.fields, record.values ?? []).compactMap { number, value -> (PropertyInfo, Any)? in
      guard let property = properties[number], value != .null, let decoded = property.decoded(value) else { return nil }
      return (property, decoded)
    }.sorted { $0.0.index < $1.0.index }
  }

  // MARK: - Records

  package func number(of entity: EntityInfo) -> Int64? { numbers.number(of: entity) }

  /// The entity's place in the schema; nil for one that the program does not have.
  package func ordinal(of record: RecordedChange) -> Int? { numbers.entities[record.entity]?.ordinal }

  /// The properties of a record's fields; nil for one that the program does not have.
  package func properties(of record: RecordedChange) -> [PropertyInfo?] {
    record.fields.map { numbers.properties[record.entity]?[$0] }
  }

  /// Gives `body` the changes of a transaction, in order.
  package func records(
    of row: HistoryRow, _ packed: [UInt8], _ body: (RecordedChange) throws -> Void
  ) throws {
    _ = try hasRecord(of: row, packed) { record in
      try body(record)
      return false
    }
  }

  /// Whether a change of a transaction is what is meant. Those behind the first such are not read.
  package func hasRecord(
    of row: HistoryRow, _ packed: [UInt8], _ isMeant: (RecordedChange) throws -> Bool
  ) throws -> Bool {
    var isFound = false
    let isSound = try HistoryPack.read(packed) { record in
      isFound = try isMeant(record)
      return !isFound
    }
    if !isSound { throw damaged(row) }
    guard !isFound, let range = row.noted else { return isFound }
    let statement = try connection.statement(
      "SELECT entity, kind, key, fields, old FROM _roost_change WHERE id BETWEEN ? AND ? ORDER BY id")
    defer { statement.reset() }
    statement.bind(range.lowerBound, at: 1)
    statement.bind(range.upperBound, at: 2)
    var last: RecordedChange?
    while try statement.step() {
      // Not what any program has written that keeps to the triggers.
      guard let kind = HistoryTables.Kind(rawValue: statement.int64(1)), statement.int64(2) > 0 else {
        throw damaged(row)
      }
      let record = noted(statement, kind)
      // Each row of a list that moves has noted that the list is another one.
      if record.kind == .updated, record == last { continue }
      last = record
      if try isMeant(record) { return true }
    }
    return false
  }

  private func damaged(_ row: HistoryRow) -> SwiftDataError {
    SwiftDataError(
      .corruptValue, "What transaction \(row.number) of the history changed cannot be read: something wrote over it.",
      remedy: "Delete the history: deleteHistory(HistoryDescriptor()).")
  }

  private func noted(_ statement: Statement, _ kind: HistoryTables.Kind) -> RecordedChange {
    var record = RecordedChange(entity: statement.int64(0), kind: kind, key: statement.int64(2))
    var old: [Int64: SQLValue] = [:]
    if !statement.isNull(4),
      let literals = try? JSONDecoder().decode([String: String].self, from: Data(statement.string(4).utf8))
    {
      for (number, literal) in literals { if let number = Int64(number) { old[number] = SQLValue(literal: literal) } }
    }
    if kind == .updated {
      record.fields =
        statement.columnType(3) == .text
        ? statement.string(3).split(separator: " ").compactMap { Int64($0) }
        : (0..<63).filter { statement.int64(3) >> $0 & 1 == 1 }
    } else {
      record.fields = old.keys.sorted()
    }
    if !old.isEmpty { record.values = record.fields.map { old[$0] ?? .null } }
    return record
  }
}

extension PropertyInfo {
  /// The value of an attribute that is stored in one column.
  func decoded(_ value: SQLValue) -> Any? {
    guard case .attribute(let codec) = kind else { return nil }
    func decode<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Any? { codec.decode(value) }
    return decode(codec)
  }
}

/// What all changes have.
private struct HistoryPlace {
  let change: Int64
  let transaction: Int64
  let identifier: PersistentIdentifier
  let row: RowIdentity

  func insert<Model: PersistentModel>(_ type: Model.Type) -> any HistoryInsert {
    DefaultHistoryInsert<Model>(
      changeIdentifier: change, transactionIdentifier: transaction, changedPersistentIdentifier: identifier,
      rowIdentity: row)
  }

  func update<Model: PersistentModel>(_ type: Model.Type, _ properties: [PropertyInfo]) -> any HistoryUpdate {
    DefaultHistoryUpdate<Model>(
      changeIdentifier: change, transactionIdentifier: transaction, changedPersistentIdentifier: identifier,
      rowIdentity: row,
      updatedAttributes: properties.compactMap { ($0.keyPath as? PartialKeyPath<Model>)?.sendable })
  }

  func delete<Model: PersistentModel>(_ type: Model.Type, _ kept: [(PropertyInfo, Any)]) -> any HistoryDelete {
    DefaultHistoryDelete<Model>(
      changeIdentifier: change, transactionIdentifier: transaction, changedPersistentIdentifier: identifier,
      rowIdentity: row,
      tombstone: HistoryTombstone(
        kept.compactMap { property, value in (property.keyPath as? PartialKeyPath<Model>).map { ($0, value) } }))
  }
}

extension PartialKeyPath {
  /// The path as one that may be sent.
  var sendable: any PartialKeyPath<Root> & Sendable {
    // SAFETY: a property's path has no arguments, and key paths are immutable.
    unsafeBitCast(self, to: (any PartialKeyPath<Root> & Sendable).self)
  }
}
