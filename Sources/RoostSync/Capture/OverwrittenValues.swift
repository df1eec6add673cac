import RoostCore
import RoostEngine
import RoostSQL

/// The values that saves have written over whose contexts did not know them: they came while the edits were not saved.
///
/// History says that the save replaced them. To the server the edit is one of somebody who has not seen them.
struct OverwrittenValues {
  private struct Place: Hashable {
    let table: String
    let key: Int64
    let column: String
  }

  private var ancestors: [Place: SQLValue] = [:]

  /// Notes one, within the save's transaction.
  static func note(_ value: OverwrittenValue, _ connection: Connection) throws {
    guard let column = value.property.column else { return }
    // What the first of several was made of is what was seen last.
    let statement = try connection.statement(
      "INSERT OR IGNORE INTO _roost_sync_overwritten (name, pk, property, ancestor) VALUES (?, ?, ?, ?)")
    statement.bind(value.property.owner.table, at: 1)
    statement.bind(value.key, at: 2)
    statement.bind(column, at: 3)
    statement.bind(value.ancestor, at: 4)
    try statement.run()
  }

  init() {}

  /// Those that were noted since the last time.
  init(takenFrom connection: Connection) throws {
    let statement = try connection.statement(
      "DELETE FROM _roost_sync_overwritten RETURNING name, pk, property, ancestor")
    defer { statement.reset() }
    while try statement.step() {
      let place = Place(table: statement.string(0), key: statement.int64(1), column: statement.string(2))
      ancestors[place] = statement.sqlValue(3)
    }
  }

  /// What an edit of a field was made of, where that is not what it replaced.
  func ancestor(of field: SyncedField, _ key: Int64, _ entity: BoundContract.Entity) -> SQLValue? {
    if ancestors.isEmpty { return nil }
    return field.column.flatMap { ancestors[Place(table: entity.root.table, key: key, column: $0)] }
  }
}
