import RoostSQL

/// What notes that a row was removed for another one with the same unique values, for which SQLite runs no trigger.
///
/// Before a row is inserted, or its unique columns are set, the rows that stand in its way are kept in
/// `_roost_replaced`. Those of them that are gone afterwards were replaced. Where nothing was replaced in the end (`OR
/// IGNORE`, `ON CONFLICT DO UPDATE`) they stay there until the next row, which begins by forgetting them. Programs with
/// `recursive_triggers` have noted the deletion by then: it is not noted twice.
struct HistoryReplacements {
  static let tableName = "_roost_replaced"
  /// `by` is the key of the row that is updated, 0 for one that is inserted, `mark` the
  /// number of the last change before.
  static let table = """
    CREATE TABLE _roost_replaced (root INTEGER NOT NULL, by INTEGER NOT NULL, key INTEGER NOT NULL, \
    entity INTEGER NOT NULL, old TEXT, mark INTEGER NOT NULL, PRIMARY KEY (root, by, key)) STRICT, WITHOUT ROWID
    """

  /// The root's number.
  let number: Int64
  let table: String
  let indexes: [UniqueIndex]
  /// What is kept of one of the table's rows: the number of its entity, and its values; and which rows are recorded.
  let kept: (entity: String, old: String, isRecorded: String?)

  private static let key = quotedIdentifier(primaryKeyColumn)
  private static let columns = "(root, by, key, entity, old, mark)"

  /// The columns by which an update may remove another row.
  var updateEvent: String {
    var names = [primaryKeyColumn]
    for column in indexes.flatMap(\.columns) where !names.contains(column) { names.append(column) }
    return "UPDATE OF " + names.map { quotedIdentifier($0) }.joined(separator: ", ")
  }

  /// The condition that rows were in the way of the row `NEW`. `by` is what updates them: `OLD`'s key, or 0.
  func wereFound(by: String) -> String {
    "EXISTS (SELECT 1 FROM _roost_replaced WHERE root = \(number) AND by = \(by))"
  }

  static let insertion = "0"
  static let update = "OLD.\(key)"

  /// What makes a row one that is in the way: its key, or its values.
  private var reasons: [String] { ["\(Self.key) = NEW.\(Self.key)"] + indexes.map { "(\($0.isSame))" } }

  /// When to look at what is in the way, or was in that of an earlier row.
  func isNeeded(by: String) -> String {
    let isOther = by == Self.update ? " AND \(Self.key) <> \(by)" : ""
    var found = reasons.map { "EXISTS (SELECT 1 FROM \(quotedIdentifier(table)) WHERE \($0)\(isOther))" }
    // SQLite has -1 for a key that it will give the new row itself, and no row has that (decision 63).
    if by == Self.insertion { found[0] = "(NEW.\(Self.key) <> -1 AND \(found[0]))" }
    return (found + [wereFound(by: by)]).joined(separator: " OR ")
  }

  /// What notes the rows that are in the way.
  func noting(by: String) -> [String] {
    let isUpdate = by == Self.update
    let name = quotedIdentifier(table)
    // Each of them has an index, which costs no temporary table.
    let conditions =
      ["(\(reasons.joined(separator: " OR ")))"]
      + (isUpdate ? ["\(Self.key) <> \(by)"] : []) + [kept.isRecorded].compactMap(\.self)
    return [
      "DELETE FROM _roost_replaced WHERE root = \(number) AND by \(isUpdate ? "<>" : "=") 0",
      "INSERT INTO _roost_replaced \(Self.columns) SELECT \(number), \(by), \(name).\(Self.key), \(kept.entity), "
        + "\(kept.old), ifnull((SELECT max(id) FROM _roost_change), 0) FROM \(name) "
        + "WHERE \(conditions.joined(separator: " AND "))",
    ]
  }

  /// What notes those of them as deleted that are gone, and the one whose key the new row has.
  func ending(by: String) -> String {
    let (name, deleted) = (quotedIdentifier(table), HistoryTables.Kind.deleted.rawValue)
    return "INSERT INTO _roost_change (entity, kind, key, old) SELECT entity, \(deleted), key, old "
      + "FROM _roost_replaced AS former WHERE root = \(number) AND by = \(by) "
      + "AND (key = NEW.\(Self.key) OR NOT EXISTS (SELECT 1 FROM \(name) WHERE \(Self.key) = former.key)) "
      + "AND NOT EXISTS (SELECT 1 FROM _roost_change AS noted WHERE noted.id > former.mark "
      + "AND noted.kind = \(deleted) AND noted.key = former.key AND noted.entity = former.entity)"
  }
}
