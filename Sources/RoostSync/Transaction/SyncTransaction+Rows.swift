import Foundation
import Logging
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

/// A row as its table has it.
struct StoredRow {
  /// The name in the type column; nil where there is one class.
  var type: String?
  /// In the order of ``SyncedRowSQL/columns``.
  var columns: [SQLValue]
}

// Rows as the tables have them, and as the server does.
extension SyncTransaction {
  /// nil where there is none.
  func storedRow(_ key: Int64, _ entity: BoundContract.Entity) throws -> StoredRow? {
    let statement = try connection.statement(entity.sql.select)
    defer { statement.reset() }
    statement.bind(key, at: 1)
    guard try statement.step() else { return nil }
    let first: Int32 = entity.sql.hasTypes ? 2 : 1
    return StoredRow(
      type: entity.sql.hasTypes ? statement.string(1) : nil,
      columns: entity.sql.columns.indices.map { statement.sqlValue(first + Int32($0)) })
  }

  /// All that is synced of a row, by the numbers of fields, but for values whose files are gone.
  func values(of row: StoredRow, _ key: Int64, _ entity: BoundContract.Entity) throws -> SyncFields<SyncValue> {
    var values: SyncFields<SyncValue> = [:]
    if let type = row.type {
      values[SyncNumbers.classField] = entity.classes[type].map { .integer(Int64($0)) } ?? .null
    }
    for (index, number) in entity.numbers.enumerated() {
      values[number] = try value(at: index, of: row, key, entity)
    }
    return values
  }

  /// What a row has in a field; nil for a value whose file is gone. `index`: the field's among those of the entity.
  func value(at index: Int, of row: StoredRow, _ key: Int64, _ entity: BoundContract.Entity) throws -> SyncValue? {
    let field = entity.fields[index]
    return switch field.kind {
    case .links(let join, let destination): try links(join, key, destination)
    default: try value(of: field, entity.columns[index].map { row.columns[$0] } ?? .null)
    }
  }

  /// What the value of a column is to the server; nil for one whose file is gone.
  ///
  /// That is no value which others should get: a store that was copied without its files
  /// would take them from all devices.
  func value(of field: SyncedField, _ stored: SQLValue) throws -> SyncValue? {
    switch field.kind {
    case .reference(_, let destination):
      guard case .integer(let key) = stored, let entity = contract.byOrdinal[destination.ordinal],
        let row = try identity(of: key, entity)
      else { return SyncValue.null }
      return SyncValue.row(row)
    case .attribute where isTooLarge(field, stored): return .tooLarge
    case .attribute, .elements, .position, .links: return try content(of: field, stored).map(field.value)
    }
  }

  /// Whether a value is larger than any that is sent. One in a file is not read: no memory may have room for it.
  private func isTooLarge(_ field: SyncedField, _ stored: SQLValue) -> Bool {
    if let name = fileName(of: field, stored) {
      return (store.files.flatMap { Disk.size(of: $0.url(of: name)) } ?? 0) > Int64(pushSize.valueBytes)
    }
    return switch stored {
    case .text(let text): text.utf8.count > pushSize.valueBytes
    case .blob(let bytes): bytes.count > pushSize.valueBytes
    case .null, .integer, .real: false
    }
  }

  private func fileName(of field: SyncedField, _ stored: SQLValue) -> ExternalName? {
    field.fileType.flatMap { ExternalReference.name(stored, in: $0) }
  }

  /// A value, from its file if it is in one; nil where that is gone, or damaged for ever.
  private func content(of field: SyncedField, _ stored: SQLValue) throws -> SQLValue? {
    guard let type = field.fileType, let name = fileName(of: field, stored) else { return stored }
    guard let bytes = try bytes(name, of: field) else { return nil }
    return type == .blob ? .blob(bytes) : .text(String(decoding: bytes, as: UTF8.self))
  }

  private func bytes(_ name: ExternalName, of field: SyncedField) throws -> Data? {
    do {
      return try store.files?.read(name)
    } catch {
      guard error.isDamaged else { throw error }
      let metadata: Logger.Metadata = [
        "property": "\(field.property.owner.name).\(field.property.name)", "file": "\(error.url.path)",
        "error": "\(error.underlying)",
      ]
      store.logger.error("The file of a value is damaged: the value is not sent", metadata: metadata)
      return nil
    }
  }

  /// What a column gets for a value: the name of a file for a large one.
  func placed(_ value: SQLValue, _ field: SyncedField) throws -> SQLValue {
    guard let type = field.fileType, let name = try files?.place(value) else { return value }
    return ExternalReference.value(name, in: type)
  }

  /// Has the file of a value removed that a row had.
  func release(_ stored: SQLValue, _ field: SyncedField) {
    if let name = fileName(of: field, stored) { files?.released.insert(name) }
  }

  /// The rows that a list has, in its order.
  func links(_ join: JoinTable, _ key: Int64, _ destination: EntityInfo) throws -> SyncValue {
    guard let entity = contract.byOrdinal[destination.ordinal] else { return .null }
    return .list(try linkedKeys(join, key).compactMap { try identity(of: $0, entity).map { .row($0) } })
  }

  func linkedKeys(_ join: JoinTable, _ key: Int64) throws -> [Int64] {
    let (own, other) = (quotedIdentifier(join.ownerColumn), quotedIdentifier(join.destinationColumn))
    let position = quotedIdentifier(positionColumnName(of: join.destinationColumn))
    return try connection.keys(
      """
      SELECT \(other) FROM \(quotedIdentifier(join.name)) WHERE \(own) = ? ORDER BY ifnull(\(position), \(other)), \(other)
      """, key)
  }
}

extension SyncValue {
  init(_ value: SQLValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(Array(bytes))
      }
  }

  /// nil for what no column of a value has: a row, or a list.
  var stored: SQLValue? {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .blob(let bytes): .blob(Data(bytes))
    case .row, .list: nil
    }
  }
}
