import Logging
import RoostEngine
import RoostSQL

// Keys of 0 and less, which no row has that Roost wrote. Models without a row have such keys until they are saved.
extension ContextCore {
  /// Refuses the key of a row that was read, unless it is a pending model's, shown among the rows.
  ///
  /// Another program can write such a row, and the key may even be one that a model waits with here.
  package func check(_ key: Int64, of entity: EntityInfo) throws {
    if key > 0 { return }
    if key < 0, let shownOverlay, try !shownOverlay.isStored(key, entity.table) { return }
    throw store.unreadableKey(entity, key)
  }
}

extension Store {
  /// A row whose key no model can have.
  func unreadableKey(_ entity: EntityInfo, _ key: Int64) -> SwiftDataError {
    let (table, column) = (quotedIdentifier(entity.table), quotedIdentifier(primaryKeyColumn))
    return SwiftDataError(
      .corruptValue, "The row has the key \(key). Keys are greater than 0.", model: entity.name,
      property: primaryKeyColumn, row: PersistentIdentifier(scope: scopes[entity.ordinal], key: key),
      remedy: "Give it another, and what refers to it: UPDATE \(table) SET \(column) = "
        + "(SELECT max(max(\(column)), 0) + 1 FROM \(table)) WHERE \(column) = \(key)")
  }

  /// Leaves out keys that no model can have, which the log names.
  func sound(_ keys: [Int64], of entity: EntityInfo) -> [Int64] {
    if keys.allSatisfy({ $0 > 0 }) { return keys }
    for key in keys where key <= 0 { logger.error("\(unreadableKey(entity, key))") }
    return keys.filter { $0 > 0 }
  }
}

extension PendingOverlay {
  /// Whether the store itself has a row with a key that is less than 1. Asked once while a query runs.
  func isStored(_ key: Int64, _ table: String) throws -> Bool {
    if let known = storedKeys[table] { return known.contains(key) }
    let statement = try connection.statement(
      "SELECT \(primaryKeyColumn) FROM main.\(quotedIdentifier(table)) WHERE \(primaryKeyColumn) <= 0")
    defer { statement.reset() }
    var keys: Set<Int64> = []
    while try statement.step() { keys.insert(statement.int64(0)) }
    storedKeys[table] = keys
    return keys.contains(key)
  }
}
