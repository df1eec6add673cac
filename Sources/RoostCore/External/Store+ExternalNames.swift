import RoostEngine
import RoostSQL

// What rows name.
extension Store {
  /// The names in all rows. Read from the partial index that each such column has.
  func referenced(_ connection: Connection) throws -> Set<ExternalName> {
    try connection.externalNames(in: externalColumns)
  }

  /// Those of the names that no row has. Another program may have copied a row, and both share the file.
  func unreferenced(_ names: Set<ExternalName>, _ connection: Connection) throws -> Set<ExternalName> {
    var free = names
    for column in externalColumns where !free.isEmpty {
      let statement = try connection.statement(
        "SELECT 1 FROM \(column.table) WHERE \(column.isReference) AND \(column.name) = ? LIMIT 1")
      for name in free {
        defer { statement.reset() }
        statement.bind(ExternalReference.value(name, in: column.type), at: 1)
        if try statement.step() { free.remove(name) }
      }
    }
    return free
  }

  private var externalColumns: [ExternalColumn] {
    schema.externalEntities.flatMap { entity in
      entity.ownProperties.filter(\.isExternal).compactMap { ExternalColumn(entity, $0) }
    }
  }
}

extension Connection {
  /// The names of files in all rows of some columns.
  package func externalNames(in columns: [ExternalColumn]) throws -> Set<ExternalName> {
    var names: Set<ExternalName> = []
    for column in columns {
      let statement = try statement("SELECT \(column.name) FROM \(column.table) WHERE \(column.isReference)")
      defer { statement.reset() }
      while try statement.step() {
        if let name = ExternalReference.name(statement.sqlValue(0), in: column.type) { names.insert(name) }
      }
    }
    return names
  }
}

extension Connection {
  /// Has all rows that name a file name another one.
  package func replace(_ name: ExternalName, by other: ExternalName, in column: ExternalColumn) throws {
    let statement = try statement(
      "UPDATE \(column.table) SET \(column.name) = ? WHERE \(column.isReference) AND \(column.name) = ?")
    statement.bind(ExternalReference.value(other, in: column.type), at: 1)
    statement.bind(ExternalReference.value(name, in: column.type), at: 2)
    try statement.run()
  }
}

/// A column that may name files, as SQL.
package struct ExternalColumn {
  let table: String
  let name: String
  let type: _ColumnType

  package init(table: String, column: String, type: _ColumnType) {
    (self.table, name, self.type) = (quotedIdentifier(table), quotedIdentifier(column), type)
  }

  init?(_ entity: EntityInfo, _ property: PropertyInfo) {
    guard case .attribute(let codec) = property.kind, let column = property.column else { return nil }
    self.init(table: entity.table, column: column, type: codec.columnType)
  }

  /// Written as in the index, with a literal, or SQLite would not use it.
  var isReference: String { "typeof(\(name)) = '\(ExternalReference.storageClass(in: type))'" }
}
