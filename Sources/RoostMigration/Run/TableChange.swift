import RoostCore
import RoostSQL

/// How a table comes to its new form.
enum TableChange {
  /// It is there already, or these statements make it so. They touch no rows but those of subclasses, and those that
  /// get a value which may be nil later.
  case alter([SQLAlterTable], fills: [SQLUpdate])
  /// A new one is filled and takes the place of the old one, as SQLite's documentation advises.
  case rebuild

  // `values` are what the new columns have of a row of the old table, `names` the other old tables', folded: to rename
  // in place could change what another one's references mean.
  init(
    to definition: SQLCreateTable, from source: String, _ stored: StoredTable, values: [String: SQLExpression],
    isWhole: Bool, names: Set<String>
  ) {
    let new = StoredTable(definition)
    var changes: [SQLAlterTable] = []
    var additions: [SQLAlterTable] = []
    var fills: [SQLUpdate] = []
    var unused = Set(stored.columns.keys)
    if definition.name != source {
      if names.contains(definition.name.foldedName) || definition.name.foldedName == source.foldedName {
        self = .rebuild
        return
      }
      changes.append(.rename(source, to: definition.name))
    }
    for column in definition.columns {
      if case .column(SchemaMapping.oldRow?, let former)? = values[column.name] {
        guard let known = stored.columns[former], known == new.columns[column.name],
          unused.remove(former) != nil
        else {
          self = .rebuild
          return
        }
        if former == column.name { continue }
        let folded = Set(stored.columns.keys.map(\.foldedName))
        guard !folded.contains(column.name.foldedName) else {
          self = .rebuild
          return
        }
        changes.append(.renameColumn(table: definition.name, from: former, to: column.name))
      } else if let addition = Self.addition(of: column, values[column.name], stored) {
        additions.append(.addColumn(table: definition.name, addition))
        if let fill = Self.fill(values[column.name], column) {
          fills.append(
            SQLUpdate(
              definition.name, alias: SchemaMapping.oldRow, set: [SQLAssignment(column.name, fill.value)],
              where: fill.condition))
        }
      } else {
        self = .rebuild
        return
      }
    }
    self = isWhole && unused.isEmpty ? .alter(changes + additions, fills: fills) : .rebuild
  }

  /// The column as SQLite can add it to rows that are there; nil when it cannot.
  private static func addition(
    of column: SQLColumnDefinition, _ value: SQLExpression?, _ stored: StoredTable
  ) -> SQLColumnDefinition? {
    guard !stored.columns.keys.contains(where: { $0.foldedName == column.name.foldedName }) else { return nil }
    var column = column
    switch value {
    case nil: return column.isNotNull && column.defaultValue == nil ? nil : column
    case .some where fill(value, column) != nil: break
    case .value(let value): column.defaultValue = value
    default: return nil
    }
    // SQLite evaluates the default of a column that it adds as it stands, and a reference's must be NULL.
    return column.reference == nil ? column : nil
  }

  /// The constant that rows get by an update, and which rows, if not all.
  ///
  /// Not as the column's default: rows of other classes would get it, and of a row that is older than the column
  /// nothing tells before an update whether it has the default or nil.
  private static func fill(
    _ value: SQLExpression?, _ column: SQLColumnDefinition
  ) -> (value: SQLExpression, condition: SQLExpression?)? {
    if column.isNotNull { return nil }
    switch value {
    case .value(let constant)?: return constant == .null ? nil : (.value(constant), nil)
    case .conditional(let branches, otherwise: .none)? where branches.count == 1:
      guard case .value = branches[0].result else { return nil }
      return (branches[0].result, branches[0].condition)
    default: return nil
    }
  }
}
