import RoostSQL

/// The triggers that note what happens to a table's rows.
///
/// The columns are compared by `IS NOT`, so that an update which leaves a row as it is notes nothing.
struct HistoryTriggers {
  static let prefix = "_roost_history_"

  private let root: EntityInfo
  private let fields: HistoryFields
  private let isExcluded: (EntityInfo) -> Bool

  init(_ root: EntityInfo, _ fields: HistoryFields, isExcluded: @escaping (EntityInfo) -> Bool) {
    (self.root, self.fields, self.isExcluded) = (root, fields, isExcluded)
  }

  /// The SQL of the triggers by their names; none if no class of the table is recorded.
  var definitions: [String: String] {
    let recorded = root.selfAndDescendants.filter { !isExcluded($0) && fields.number(of: $0) != nil }
    if recorded.isEmpty { return [:] }
    let table = quotedIdentifier(root.table)
    let key = quotedIdentifier(primaryKeyColumn)
    var definitions: [String: String] = [:]
    func add(_ name: String, _ event: String, when condition: String?, _ actions: [String]) {
      let name = "\(Self.prefix)\(name)_\(root.table)"
      let when = condition.map { " WHEN \($0)" } ?? ""
      definitions[name] =
        "CREATE TRIGGER \(quotedIdentifier(name)) AFTER \(event) ON \(table)\(when) BEGIN "
        + actions.map { $0 + ";" }.joined(separator: " ") + " END"
    }
    add("insert", "INSERT", when: isRecorded(recorded, "NEW"), [inserting(recorded, .inserted, "NEW")])
    add("delete", "DELETE", when: isRecorded(recorded, "OLD"), [inserting(recorded, .deleted, "OLD", old: tombstone)])
    let columns = self.columns
    if !columns.isEmpty {
      let differs = columns.map { "OLD.\($0.name) IS NOT NEW.\($0.name)" }.joined(separator: " OR ")
      let conditions = ["OLD.\(key) IS NEW.\(key)", isRecorded(recorded, "NEW"), "(\(differs))"].compactMap(\.self)
      add(
        "update", "UPDATE", when: conditions.joined(separator: " AND "),
        [inserting(recorded, .updated, "NEW", fields: mask(columns), old: formerValues(columns))])
    }
    let isMoved = ["OLD.\(key) IS NOT NEW.\(key)", isRecorded(recorded, "NEW")].compactMap(\.self)
    add(
      "key", "UPDATE", when: isMoved.joined(separator: " AND "),
      [inserting(recorded, .deleted, "OLD", old: tombstone), inserting(recorded, .inserted, "NEW")])
    return definitions
  }

  private func isRecorded(_ recorded: [EntityInfo], _ row: String) -> String? {
    if !root.isMixed || recorded.count == root.selfAndDescendants.count { return nil }
    let names = recorded.map { quotedText($0.name) }.joined(separator: ", ")
    return "\(row).\(quotedIdentifier(entityNameColumn)) IN (\(names))"
  }

  private func inserting(
    _ recorded: [EntityInfo], _ kind: HistoryTables.Kind, _ row: String, fields: String = "NULL", old: String = "NULL"
  ) -> String {
    let key = "\(row).\(quotedIdentifier(primaryKeyColumn))"
    return "INSERT INTO _roost_change (entity, kind, key, fields, old) "
      + "VALUES (\(entity(recorded, row)), \(kind.rawValue), \(key), \(fields), \(old))"
  }

  private func entity(_ recorded: [EntityInfo], _ row: String) -> String {
    func number(_ entity: EntityInfo) -> Int64 { fields.number(of: entity) ?? 0 }
    if !root.isMixed { return "\(number(root))" }
    let branches = recorded.map { "WHEN \(quotedText($0.name)) THEN \(number($0))" }.joined(separator: " ")
    return "CASE \(row).\(quotedIdentifier(entityNameColumn)) \(branches) ELSE \(number(root)) END"
  }

  // MARK: - Columns

  private struct Column {
    let name: String
    let number: Int64
  }

  private var properties: [PropertyInfo] { root.selfAndDescendants.flatMap(\.ownProperties) }

  private var columns: [Column] {
    properties.compactMap { property in
      guard let column = property.column, let number = fields.number(of: property) else { return nil }
      return Column(name: quotedIdentifier(column), number: number)
    }
  }

  /// A bit for each property; for tables with more than 63 a list of their numbers, as text.
  private func mask(_ columns: [Column]) -> String {
    if columns.contains(where: { $0.number > 62 }) {
      return columns.map { "iif(OLD.\($0.name) IS NOT NEW.\($0.name), ' \($0.number)', '')" }.joined(separator: " || ")
    }
    return columns.map { "((OLD.\($0.name) IS NOT NEW.\($0.name)) << \($0.number))" }.joined(separator: " | ")
  }

  /// What the columns that changed were: a JSON object of SQL literals by the properties' numbers.
  private func formerValues(_ columns: [Column]) -> String {
    object(columns.map { "iif(OLD.\($0.name) IS NOT NEW.\($0.name), \(member($0)), '')" })
  }

  /// What is kept of a row that is deleted.
  private var tombstone: String {
    let kept = properties.filter { $0.options.contains(.preserveValueOnDeletion) }.compactMap { property -> Column? in
      guard let column = property.column, let number = fields.number(of: property) else { return nil }
      return Column(name: quotedIdentifier(column), number: number)
    }
    return kept.isEmpty ? "NULL" : object(kept.map(member))
  }

  private func member(_ column: Column) -> String {
    "',\"\(column.number)\":' || json_quote(quote(OLD.\(column.name)))"
  }

  /// A trigger has no parameters. What is quoted is the name of a class.
  private func quotedText(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  private func object(_ members: [String]) -> String {
    "'{' || substr(\(members.joined(separator: " || ")), 2) || '}'"
  }
}
