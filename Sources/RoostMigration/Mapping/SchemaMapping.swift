import RoostCore
import RoostSQL

/// How the tables of a stored schema become those of another one. Made without looking at any row.
struct SchemaMapping {
  /// A table of models.
  struct Table {
    /// The root of the new models.
    let entity: EntityInfo
    /// The old table; nil when the models are new.
    var source: String?
    /// Whether the old table is that of other models, too.
    var isExtracted = false
    /// What the new columns have of an old row, which is called `old`. What is not there is NULL.
    var values: [String: SQLExpression] = [:]
    /// Which old rows stay; nil for all.
    var filter: SQLExpression?

    /// The rows that the new table will have.
    func select(_ columns: [String]) -> SQLSelect {
      SQLSelect(
        columns.map { SQLResultColumn(values[$0] ?? .null, as: $0) },
        from: source.map { .table($0, alias: SchemaMapping.oldRow) }, where: filter)
    }
  }

  /// The rows of a join table.
  struct JoinRows {
    let table: JoinTable
    /// Where the file has them: in several tables where lists of several subclasses have moved up.
    var sources: [LinkSource] = []
  }

  static let oldRow = "old"

  var tables: [Table] = []
  var joinRows: [JoinRows] = []
  /// What must not be in the old tables.
  var checks: [MigrationCheck] = []
  /// The old entities by the names of those that they become.
  var sources: [String: EntityDefinition] = [:]
  /// The columns that may refer to rows which are of no class that they refer to any more: `Owner.dog`.
  var narrowed: Set<String> = []
  /// What models and properties were called, as history knows them.
  var formerNames: [HistoryFields.Name: HistoryFields.Name] = [:]

  /// The table's values with nothing for rows of other classes in what a subclass declares.
  ///
  /// There a unique index would find them, and a later version might take them for values of its own.
  func valuesByClass(of table: Table, from old: StoredSchema) -> [String: SQLExpression] {
    var values = table.values
    guard let source = table.source.flatMap(old.entity), !table.isExtracted else { return values }
    for entity in table.entity.selfAndDescendants where entity !== table.entity {
      let types = entity.selfAndDescendants.compactMap { sources[$0.name]?.name }.sorted()
      let isOfClass =
        old.isInHierarchy(source)
        ? SQLExpression.inList(.column(Self.oldRow, entityNameColumn), types.map { .text($0) })
        : .isNotNull(.column(Self.oldRow, primaryKeyColumn))
      for column in entity.ownProperties.compactMap(\.column) {
        guard let value = values[column] else { continue }
        if case .column = value { continue }
        values[column] =
          types.isEmpty ? nil : .conditional([SQLBranch(when: isOfClass, then: value)], otherwise: nil)
      }
    }
    return values
  }
}

/// Rows that a migration cannot bring over by itself, as a query.
struct MigrationCheck {
  let model: String
  let property: String?
  /// The keys that lead to a part of the property's values, where it is about that part alone.
  var keys: [String] = []
  let message: String
  /// The key and, if it helps, the value of each row that is in the way.
  var rows: SQLSelect
  /// What solves it, as Swift source.
  let remedy: String
  /// Whether it takes a stage whatever the rows are: the next store may have some.
  var isCertain = true
  /// Whether it is about equal values, which code that has both versions can still make differ.
  var isUnique = false
  /// What is gone, when that is what it is about.
  var drop: Drop?
  /// The property that the rows lack a value of, where the code of a stage may give them one.
  var gap: PropertyInfo?

  /// The property, with the keys, as an error names it: `place.country`.
  var place: String? { property.map { ([$0] + keys).joined(separator: ".") } }

  /// What the file has and the program does not declare any more.
  struct Drop {
    /// As a program writes it: `Note.title`, or `Note`.
    let name: String
    /// Whether something new looks as it did.
    let mayBeRenamed: Bool
  }
}
