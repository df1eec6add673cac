import RoostCore
import RoostEngine
import RoostSQL

// Whether tables and their values are as the file's own schema says.
extension StoreFile {
  func verifyTables(_ schema: SchemaInfo, _ verification: inout StoreVerification) throws {
    let present = Set(try connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    var known: Set<String> = []
    for root in schema.entities where root.superentity == nil {
      known.insert(root.table)
      guard present.contains(root.table) else {
        verification.problems.append("\(root.name): the table is missing")
        continue
      }
      let missing = try verifyColumns(TableDefinitions.table(for: root), &verification)
      try verifyValues(of: root, besides: missing, &verification)
    }
    for table in schema.joinTables {
      known.insert(table.name)
      guard present.contains(table.name) else {
        verification.problems.append("\(table.name): the table of a relationship is missing")
        continue
      }
      _ = try verifyColumns(TableDefinitions.table(for: table), &verification)
    }
    try verifyIndexes(schema, present, &verification)
    let foreign = present.subtracting(known).filter { !$0.hasPrefix("_roost_") && !$0.hasPrefix("sqlite_") }
    verification.remarks += foreign.subtracting(fullTextTables(schema)).sorted().map {
      "\($0): a table that is none of Roost's"
    }
  }

  /// FTS5 keeps each index in tables of its own.
  private func fullTextTables(_ schema: SchemaInfo) -> Set<String> {
    Set(
      schema.fullTextIndexes.flatMap { index in
        ["", "_data", "_idx", "_content", "_docsize", "_config"].map { index.name + $0 }
      })
  }

  /// - Returns: the names of the columns that are missing.
  private func verifyColumns(
    _ table: SQLCreateTable, _ verification: inout StoreVerification
  ) throws -> Set<String> {
    let (present, wanted) = (try StoredTable(table.name, in: connection), StoredTable(table))
    for (name, column) in wanted.columns.sorted(by: { $0.key < $1.key }) {
      guard let found = present.columns[name] else {
        verification.problems.append("\(table.name).\(name): the column is missing")
        continue
      }
      if found == column { continue }
      verification.problems.append(
        "\(table.name).\(name): the column is \(Self.text(found)), and should be \(Self.text(column))")
    }
    verification.remarks += Set(present.columns.keys).subtracting(wanted.columns.keys).sorted().map {
      "\(table.name).\($0): a column that is none of Roost's; a migration that copies the table leaves it out"
    }
    return Set(wanted.columns.keys).subtracting(present.columns.keys)
  }

  private static func text(_ column: StoredTable.Column) -> String {
    let parts = [
      column.type, column.primaryKeyPlace > 0 ? "PRIMARY KEY" : "", column.isNotNull ? "NOT NULL" : "",
      column.reference.map { "REFERENCES \($0.table) ON DELETE \($0.onDelete)" } ?? "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func verifyIndexes(
    _ schema: SchemaInfo, _ tables: Set<String>, _ verification: inout StoreVerification
  ) throws {
    var present: [String: String] = [:]
    let statement = try connection.statement("SELECT name, sql FROM sqlite_schema WHERE type = 'index'")
    defer { statement.reset() }
    while try statement.step() { present[statement.string(0)] = statement.string(1) }
    for index in TableDefinitions.indexes(of: schema) where tables.contains(index.table) {
      let name = index.name
      let isRight = present[name] == SQLitePrinter.print(.createIndex(index)).sql
      if isRight { continue }
      let state = present[name] == nil ? "is missing" : "is another than the schema's"
      if index.isUnique {
        verification.problems.append("\(name): the index \(state), so that nothing keeps values unique")
      } else {
        verification.remarks.append(
          "\(name): the index \(state); "
            + (present[name] == nil ? "queries are slow until the next opening makes it" : "queries may be slow"))
      }
    }
  }

  // MARK: - Values

  private func verifyValues(
    of root: EntityInfo, besides missing: Set<String>, _ verification: inout StoreVerification
  ) throws {
    let table = SQLTable.table(root.table)
    func look(_ place: String, _ what: String, _ condition: SQLExpression) throws {
      let key = SQLExpression.aggregate(.minimum, .column(primaryKeyColumn), isDistinct: false)
      let select = SQLSelect([SQLResultColumn(.countAll), SQLResultColumn(key)], from: table, where: condition)
      let text = SQLitePrinter.print(select)
      let statement = try connection.statement(text.sql)
      defer { statement.reset() }
      statement.bind(text.arguments)
      guard try statement.step(), statement.int64(0) > 0 else { return }
      verification.problems.append(
        "\(place): \(StoreVerification.count(statement.int64(0), "row has", "rows have")) \(what), such as row "
          + "\(statement.int64(1))")
    }
    if root.isMixed, !missing.contains(entityNameColumn) {
      let types = SQLExpression.inList(.column(entityNameColumn), root.typeNames.map { .text($0) })
      try look(root.name, "a type that is no model", !types)
    }
    for entity in root.selfAndDescendants {
      for property in entity.ownProperties {
        guard let column = property.column, !missing.contains(column),
          let described = entity.described?.properties.first(where: { $0.name == property.name })
        else { continue }
        let (place, value) = ("\(entity.name).\(property.name)", SQLExpression.column(column))
        // Their column takes NULL, for it is not in the other classes' rows.
        if entity.superentity != nil, !property.isOptional {
          try look(place, "nothing, which it must have", .all([.isNull(value), EntityStatements.isKind(entity)]))
        }
        guard !described.isExternal, let type = described.valueType, let (what, condition) = Self.wrong(value, type)
        else { continue }
        try look(place, what, .all([.isNotNull(value), condition]))
      }
    }
  }

  /// The condition that a value is none of its type, where a strict table lets it in.
  private static func wrong(_ value: SQLExpression, _ type: String) -> (String, SQLExpression)? {
    func bounds<Value: FixedWidthInteger>(_ type: Value.Type) -> (String, SQLExpression) {
      let isIn = SQLExpression.between(
        value, lower: .integer(Int64(Value.min)), upper: .integer(Int64(Value.max)))
      return ("a number beyond \(type)", !isIn)
    }
    return switch type {
    case "JSON": ("no JSON", !.function(SQLFunction("json_valid"), [value]))
    case "UUID": ("no UUID", !.binary(.equal, .function(.length, [value]), .integer(16)))
    case "Bool": ("neither 0 nor 1", !.inList(value, [.integer(0), .integer(1)]))
    case "Int8": bounds(Int8.self)
    case "Int16": bounds(Int16.self)
    case "Int32": bounds(Int32.self)
    case "UInt8": bounds(UInt8.self)
    case "UInt16": bounds(UInt16.self)
    case "UInt32": bounds(UInt32.self)
    default: nil
    }
  }
}
