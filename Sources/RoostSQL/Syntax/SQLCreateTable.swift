/// A new table. Its constants are printed as literals, since SQLite binds nothing in schema statements.
package struct SQLCreateTable: Hashable, Sendable {
  package var name: String
  package var isTemporary = false
  package var ifNotExists = false
  package var columns: [SQLColumnDefinition]
  package var constraints: [SQLTableConstraint]
  package var isStrict: Bool
  package var isWithoutRowID: Bool

  package init(
    _ name: String, _ columns: [SQLColumnDefinition], constraints: [SQLTableConstraint] = [], isStrict: Bool = true,
    isWithoutRowID: Bool = false
  ) {
    self.name = name
    self.columns = columns
    self.constraints = constraints
    self.isStrict = isStrict
    self.isWithoutRowID = isWithoutRowID
  }
}

/// One column of a new table.
package struct SQLColumnDefinition: Hashable, Sendable {
  package var name: String
  package var type: SQLType?
  package var isPrimaryKey: Bool
  package var isNotNull: Bool
  package var isUnique: Bool
  package var defaultValue: SQLValue?
  package var collation: SQLCollation?
  package var check: SQLExpression?
  package var reference: SQLReference?

  package init(
    _ name: String, _ type: SQLType?, isPrimaryKey: Bool = false, isNotNull: Bool = false, isUnique: Bool = false,
    default defaultValue: SQLValue? = nil, collation: SQLCollation? = nil, check: SQLExpression? = nil,
    references reference: SQLReference? = nil
  ) {
    self.name = name
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.isNotNull = isNotNull
    self.isUnique = isUnique
    self.defaultValue = defaultValue
    self.collation = collation
    self.check = check
    self.reference = reference
  }
}

/// A foreign key.
package struct SQLReference: Hashable, Sendable {
  package enum Action: String, Hashable, Sendable {
    case setNull = "SET NULL"
    case cascade = "CASCADE"
    case restrict = "RESTRICT"
    case noAction = "NO ACTION"
  }

  package var table: String
  package var columns: [String]
  package var onDelete: Action?
  package var onUpdate: Action?
  /// Checked when the transaction commits, so that rows may be written in any order.
  package var isInitiallyDeferred: Bool

  package init(
    _ table: String, _ columns: [String] = [], onDelete: Action? = nil, onUpdate: Action? = nil,
    isInitiallyDeferred: Bool = true
  ) {
    self.table = table
    self.columns = columns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.isInitiallyDeferred = isInitiallyDeferred
  }
}

/// A constraint on several columns.
package enum SQLTableConstraint: Hashable, Sendable {
  case primaryKey([String])
  case unique([String])
  case check(SQLExpression)
  case foreignKey([String], SQLReference)
}
