import RoostSQL
import Synchronization

/// The SQL of one entity's rows, printed once.
final class EntityStatements: Sendable {
  /// Parameters: the key.
  let selectOne: String
  /// Parameters: the keys as a JSON array.
  let selectMany: String
  /// Parameters: the key, then every column.
  let insert: String
  /// Parameters: the key.
  let delete: String
  /// For each unique constraint the key of the row with its values. Parameters: these, in property order.
  let existing: [(properties: PropertySet, sql: String)]
  /// Primary key first, then the columns in property order.
  let columns: [String]
  private let entity: EntityInfo
  private let updates = Mutex<[PropertySet: String]>([:])

  init(_ entity: EntityInfo) {
    self.entity = entity
    columns = [primaryKeyColumn] + entity.properties.compactMap(\.column)
    var select = SQLSelect(
      columns.map { SQLResultColumn(.column($0)) }, from: .table(entity.table),
      where: .binary(.equal, .column(primaryKeyColumn), .parameter))
    selectOne = SQLitePrinter.print(select).sql
    let keys = SQLSelect([SQLResultColumn(.column("value"))], from: .function(.jsonEach, [.parameter], alias: nil))
    select.filter = .inSelect(.column(primaryKeyColumn), keys)
    selectMany = SQLitePrinter.print(select).sql
    insert = SQLitePrinter.print(SQLInsert(into: entity.table, columns)).sql
    delete =
      SQLitePrinter.print(
        SQLDelete(from: entity.table, where: .binary(.equal, .column(primaryKeyColumn), .parameter))
      ).sql
    existing = entity.uniqueness.map { Self.existing($0, entity) }
  }

  private static func existing(_ constraint: [IndexKey], _ entity: EntityInfo) -> (PropertySet, String) {
    let properties = PropertySet(constraint.map(\.property))
    let columns = entity.properties.filter { properties.contains($0.index) }.compactMap(\.column)
    var select = SQLSelect(
      [SQLResultColumn(.column(entity.table, primaryKeyColumn))], from: .table(entity.table),
      where: .all(columns.map { .binary(.equal, .column($0), .parameter) }))
    if constraint.contains(where: { !$0.keys.isEmpty }) {
      // Parts of one value may count several times, but it is bound once.
      let given = "_roost_given"
      let values = SQLSelect(columns.map { SQLResultColumn(.parameter, as: $0) })
      select.from = .select(values, alias: given)
      select.joins = [SQLJoin(.cross, .table(entity.table), on: nil)]
      select.filter = .all(
        constraint.compactMap { key in
          guard let own = key.expression(in: entity, table: entity.table),
            let other = key.expression(in: entity, table: given)
          else { return nil }
          return .binary(.equal, own, other)
        })
    }
    return (properties, SQLitePrinter.print(select).sql)
  }

  /// Parameters: the changed columns in property order, then the key. nil when no column changed.
  func update(_ changed: PropertySet) -> String? {
    updates.withLock { updates in
      if let sql = updates[changed] { return sql.isEmpty ? nil : sql }
      let sql = Self.update(entity, table: entity.table, changed) ?? ""
      updates[changed] = sql
      return sql.isEmpty ? nil : sql
    }
  }

  static func update(_ entity: EntityInfo, table: String, _ changed: PropertySet) -> String? {
    let assignments = entity.properties
      .filter { changed.contains($0.index) }
      .compactMap(\.column)
      .map { SQLAssignment($0, .parameter) }
    guard !assignments.isEmpty else { return nil }
    return SQLitePrinter.print(
      SQLUpdate(table, set: assignments, where: .binary(.equal, .column(primaryKeyColumn), .parameter))
    ).sql
  }
}
