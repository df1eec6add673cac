import RoostSQL

/// The triggers that note what happens to a table's rows.
///
/// The columns are compared by `IS NOT`, so that an update which leaves a row as it is notes nothing.
struct HistoryTriggers {
  static let prefix = "_roost_history_"

  private let root: EntityInfo
  private let fields: HistoryFields
  /// The unique indexes that other programs have made.
  private let others: [UniqueIndex]
  private let isExcluded: (EntityInfo) -> Bool

  init(
    _ root: EntityInfo, _ fields: HistoryFields, others: [UniqueIndex] = [],
    isExcluded: @escaping (EntityInfo) -> Bool
  ) {
    (self.root, self.fields, self.others, self.isExcluded) = (root, fields, others, isExcluded)
  }

  /// The SQL of the triggers by their names; none if no class of the table is recorded.
  var definitions: [String: String] {
    let recorded = root.selfAndDescendants.filter { !isExcluded($0) && fields.number(of: $0) != nil }
    if recorded.isEmpty { return [:] }
    let key = quotedIdentifier(primaryKeyColumn)
    let replacements = replacements(recorded)
    var definitions: [String: String] = [:]
    func add(_ name: String, _ event: String, when conditions: [String?], _ actions: [String?]) {
      let actions = actions.compactMap(\.self)
      if actions.isEmpty { return }
      let name = "\(Self.prefix)\(name)_\(root.table)"
      let when = conditions.compactMap(\.self).joined(separator: " AND ")
      definitions[name] =
        "CREATE TRIGGER \(quotedIdentifier(name)) \(event) ON \(quotedIdentifier(root.table))"
        + (when.isEmpty ? "" : " WHEN \(when)") + " BEGIN "
        + actions.map { $0 + ";" }.joined(separator: " ") + " END"
    }
    let isInserted = isRecorded(recorded, "NEW")
    let wereFound = replacements?.wereFound(by: HistoryReplacements.insertion)
    add(
      "insert", "AFTER INSERT", when: [wereFound.map { "NOT \($0)" }, isInserted],
      [inserting(recorded, .inserted, "NEW")])
    add(
      "delete", "AFTER DELETE", when: [isRecorded(recorded, "OLD")],
      [inserting(recorded, .deleted, "OLD", old: tombstone("OLD"))])
    let columns = self.columns
    if !columns.isEmpty {
      let differs = columns.map { "OLD.\($0.name) IS NOT NEW.\($0.name)" }.joined(separator: " OR ")
      add(
        "update", "AFTER UPDATE", when: ["OLD.\(key) IS NEW.\(key)", isInserted, "(\(differs))"],
        [inserting(recorded, .updated, "NEW", fields: mask(columns), old: formerValues(columns))])
    }
    add(
      "key", "AFTER UPDATE", when: ["OLD.\(key) IS NOT NEW.\(key)", isInserted],
      [
        replacements?.ending(by: HistoryReplacements.update),
        inserting(recorded, .deleted, "OLD", old: tombstone("OLD")), inserting(recorded, .inserted, "NEW"),
      ])
    for (column, ordered) in orderedLists {
      let (owner, place) = (quotedIdentifier(column), quotedIdentifier(ordered.place))
      add(
        "order_\(column)", "AFTER UPDATE OF \(place)",
        when: ["OLD.\(place) IS NOT NEW.\(place)", "OLD.\(owner) IS NEW.\(owner)"],
        [HistoryTables.update(of: ordered.list, "NEW.\(owner)", fields)])
    }
    guard let replacements else { return definitions }
    for (name, by, event) in [
      ("before_insert", HistoryReplacements.insertion, "INSERT"),
      ("before_update", HistoryReplacements.update, replacements.updateEvent),
    ] { add(name, "BEFORE \(event)", when: [replacements.isNeeded(by: by)], replacements.noting(by: by)) }
    add(
      "replace", "AFTER INSERT", when: [wereFound],
      [
        replacements.ending(by: HistoryReplacements.insertion),
        inserting(recorded, .inserted, "NEW", when: isInserted),
      ])
    add(
      "replace_update", "AFTER \(replacements.updateEvent)",
      when: [replacements.wereFound(by: HistoryReplacements.update)],
      [replacements.ending(by: HistoryReplacements.update)])
    return definitions
  }

  /// nil for a table without unique constraints.
  private func replacements(_ recorded: [EntityInfo]) -> HistoryReplacements? {
    let indexes = UniqueIndex.declared(for: root) + others
    guard !indexes.isEmpty, let number = fields.number(of: root) else { return nil }
    let row = quotedIdentifier(root.table)
    return HistoryReplacements(
      number: number, table: root.table, indexes: indexes,
      kept: (entity(recorded, row), tombstone(row), isRecorded(recorded, row)))
  }

  private func isRecorded(_ recorded: [EntityInfo], _ row: String) -> String? {
    if !root.isMixed || recorded.count == root.selfAndDescendants.count { return nil }
    let names = recorded.map { quotedText($0.name) }.joined(separator: ", ")
    return "\(row).\(quotedIdentifier(entityNameColumn)) IN (\(names))"
  }

  private func inserting(
    _ recorded: [EntityInfo], _ kind: HistoryTables.Kind, _ row: String, fields: String = "NULL", old: String = "NULL",
    when condition: String? = nil
  ) -> String {
    let key = "\(row).\(quotedIdentifier(primaryKeyColumn))"
    let values = "\(entity(recorded, row)), \(kind.rawValue), \(key), \(fields), \(old)"
    return "INSERT INTO _roost_change (entity, kind, key, fields, old) "
      + (condition.map { "SELECT \(values) WHERE \($0)" } ?? "VALUES (\(values))")
  }

  private func entity(_ recorded: [EntityInfo], _ row: String) -> String {
    func number(_ entity: EntityInfo) -> Int64 { fields.number(of: entity) ?? 0 }
    if !root.isMixed { return "\(number(root))" }
    let branches = recorded.map { "WHEN \(quotedText($0.name)) THEN \(number($0))" }.joined(separator: " ")
    return "CASE \(row).\(quotedIdentifier(entityNameColumn)) \(branches) ELSE \(number(root)) END"
  }

  // MARK: - Columns

  /// The lists of others that the rows have a place in, by the columns with the others' keys.
  private var orderedLists: [(String, OrderedList)] {
    properties.compactMap { property in
      guard let column = property.column, let ordered = OrderedList(property), !isExcluded(ordered.list.owner) else {
        return nil
      }
      return (column, ordered)
    }
  }

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
    object(columns.map { "iif(OLD.\($0.name) IS NOT NEW.\($0.name), \(member($0, "OLD")), '')" })
  }

  /// What is kept of a row that is deleted.
  private func tombstone(_ row: String) -> String {
    let kept = properties.filter { $0.options.contains(.preserveValueOnDeletion) }.compactMap { property -> Column? in
      guard let column = property.column, let number = fields.number(of: property) else { return nil }
      return Column(name: quotedIdentifier(column), number: number)
    }
    return kept.isEmpty ? "NULL" : object(kept.map { member($0, row) })
  }

  private func member(_ column: Column, _ row: String) -> String {
    "',\"\(column.number)\":' || json_quote(quote(\(row).\(column.name)))"
  }

  private func object(_ members: [String]) -> String {
    "'{' || substr(\(members.joined(separator: " || ")), 2) || '}'"
  }
}
