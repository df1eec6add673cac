import RoostEngine
package import RoostSQL
import Synchronization

/// The SQL of one entity's rows, printed once.
///
/// In a table of several classes a row of another class is no row of the entity.
package final class EntityStatements: Sendable {
  /// Parameters: the key.
  let selectOne: String
  /// Parameters: the keys as a JSON array.
  let selectMany: String
  /// Parameters: the key, then every column in property order.
  let insert: String
  /// Inserts a row or updates the one that has its unique values, whose key the connection then has noted.
  ///
  /// Parameters: as for `insert`. nil where it takes more than one statement to know what is to be done.
  let upsert: String?
  /// Parameters: the key.
  let deleteOne: String
  /// Parameters: the keys as a JSON array.
  let deleteMany: String
  /// The last key that the file says was handed out, and the table's largest. Parameters: the root's name.
  let lastKeys: String
  /// For each unique constraint the key and type of the row with its values. Parameters: these, in property order.
  let existing: [(constraint: EntityInfo.Constraint, properties: PropertySet, sql: String)]
  /// What a query for models reads: the key first.
  package let columns: [String]
  /// What such a query's rows may be, where that differs.
  let types: RowTypes?
  private let entity: EntityInfo
  private let updates = Mutex<[Update: String]>([:])

  init(_ entity: EntityInfo) {
    self.entity = entity
    columns = entity.columns()
    types = entity.isMixed ? RowTypes(entity) : nil
    var select = SQLSelect(
      columns.map { SQLResultColumn(.column($0)) }, from: .table(entity.table),
      where: Self.ofKind(entity, .binary(.equal, .column(primaryKeyColumn), .parameter)))
    selectOne = SQLitePrinter.template(select)
    select.filter = Self.ofKind(entity, Self.isAmongKeys)
    selectMany = SQLitePrinter.template(select)
    insert = Self.insert(entity, into: entity.table)
    upsert = Self.upsert(entity)
    let isRow = SQLExpression.binary(.equal, .column(primaryKeyColumn), .parameter)
    deleteOne = SQLitePrinter.print(SQLDelete(from: entity.table, where: isRow)).sql
    deleteMany = SQLitePrinter.print(SQLDelete(from: entity.table, where: Self.isAmongKeys)).sql
    lastKeys = """
      SELECT last_key, (SELECT ifnull(max(\(primaryKeyColumn)), 0) FROM \(quotedIdentifier(entity.table))) \
      FROM _roost_entity WHERE name = ?
      """
    existing = entity.constraints.map { Self.existing($0, entity) }
  }

  private static func existing(
    _ constraint: EntityInfo.Constraint, _ entity: EntityInfo
  ) -> (constraint: EntityInfo.Constraint, properties: PropertySet, sql: String) {
    let keys = constraint.properties
    let properties = PropertySet(keys.map(\.property))
    let columns = entity.properties.filter { properties.contains($0.index) }.compactMap(\.column)
    let found = [primaryKeyColumn] + (entity.isInHierarchy ? [entityNameColumn] : [])
    var select = SQLSelect(found.map { SQLResultColumn(.column(entity.table, $0)) }, from: .table(entity.table))
    var isSame = SQLExpression.all(columns.map { .binary(.equal, .column($0), .parameter) })
    if keys.contains(where: { !$0.keys.isEmpty }) {
      // Parts of one value may count several times, but it is bound once.
      let given = "_roost_given"
      let values = SQLSelect(columns.map { SQLResultColumn(.parameter, as: $0) })
      select.from = .select(values, alias: given)
      select.joins = [SQLJoin(.cross, .table(entity.table), on: nil)]
      isSame = .all(
        keys.compactMap { key in
          guard let own = key.expression(in: entity, table: entity.table),
            let other = key.expression(in: entity, table: given)
          else { return nil }
          return .binary(.equal, own, other)
        })
    }
    select.filter = constraint.isOfSome ? ofKind(constraint.owner, isSame) : isSame
    return (constraint, properties, SQLitePrinter.template(select))
  }

  private struct Update: Hashable {
    let changed: PropertySet
    let isNoted: Bool
  }

  /// Parameters: the changed columns in property order, then the key. nil when no column changed.
  ///
  /// `isNoted`: whether the statement tells of its row itself, by ``Connection/updateNote``.
  func update(_ changed: PropertySet, isNoted: Bool) -> String? {
    updates.withLock { updates in
      let update = Update(changed: changed, isNoted: isNoted)
      if let sql = updates[update] { return sql.isEmpty ? nil : sql }
      let sql = Self.update(entity, table: entity.table, changed, isNoted: isNoted) ?? ""
      updates[update] = sql
      return sql.isEmpty ? nil : sql
    }
  }

  private static func upsert(_ entity: EntityInfo) -> String? {
    guard let constraint = entity.constraints.first, entity.constraints.count == 1, constraint.policy == .upsert,
      constraint.properties.allSatisfy({ $0.keys.isEmpty }), !entity.isInHierarchy, entity.externals.isEmpty,
      // A model need not set those of a row that is there, and SQLite asks for them before it looks for the row.
      entity.relationships.allSatisfy({ $0.isOptional || $0.isList })
    else { return nil }
    let unique = constraint.properties.map { entity.properties[$0.property] }
    let target = unique.compactMap(\.column)
    var assignments: [SQLAssignment] = []
    for property in entity.properties {
      // What is unique is equal already: an index whose columns are set is written, whether they change or not.
      guard let column = property.column, !target.contains(column) else { continue }
      // The row keeps the relationships that the new model does not set.
      let value: SQLExpression =
        property.relationship == nil
        ? .excluded(column) : .function(.coalesce, [.excluded(column), .column(column)])
      assignments.append(SQLAssignment(column, value))
    }
    if assignments.isEmpty { assignments = [SQLAssignment(target[0], .excluded(target[0]))] }
    let isNoted = SQLExpression.function(SQLFunction(Connection.keyNote), [.column(primaryKeyColumn)])
    return insert(
      entity, into: entity.table, onConflict: [SQLConflict(target, do: .update(assignments, where: isNoted))])
  }

  static func insert(_ entity: EntityInfo, into table: String, onConflict conflicts: [SQLConflict] = []) -> String {
    var (names, values) = ([primaryKeyColumn], [SQLExpression.parameter])
    if entity.isInHierarchy {
      names.append(entityNameColumn)
      values.append(.value(.text(entity.name)))
    }
    let columns = entity.properties.compactMap(\.column)
    values += columns.map { _ in .parameter }
    return SQLitePrinter.template(SQLInsert(into: table, names + columns, .rows([values]), onConflict: conflicts))
  }

  static func update(
    _ entity: EntityInfo, table: String, _ changed: PropertySet, isNoted: Bool = false
  ) -> String? {
    let columns = entity.properties.filter { changed.contains($0.index) }.compactMap(\.column)
    if columns.isEmpty { return nil }
    var conditions = [SQLExpression.binary(.equal, .column(primaryKeyColumn), .parameter)]
    if entity.superentity != nil { conditions.append(isKind(entity)) }
    if isNoted {
      let values = columns.enumerated().flatMap { [.column($1), SQLExpression.sameParameter($0 + 1)] }
      conditions.append(.function(SQLFunction(Connection.updateNote), [.column(primaryKeyColumn)] + values))
    }
    let assignments = columns.map { SQLAssignment($0, .parameter) }
    return SQLitePrinter.template(SQLUpdate(table, set: assignments, where: .all(conditions)))
  }

  /// The condition that a row's key is in a JSON array, the parameter.
  private static var isAmongKeys: SQLExpression { SQLExpression.column(primaryKeyColumn).isOne(ofArray: .parameter) }

  /// Nils out to-one relationships of many rows. Parameters: the keys as a JSON array.
  func clear(_ relationships: PropertySet) -> String {
    let assignments = entity.relationships.filter { relationships.contains($0.index) }.compactMap(\.column)
      .map { SQLAssignment($0, .null) }
    return SQLitePrinter.template(SQLUpdate(entity.table, set: assignments, where: Self.isAmongKeys))
  }

  /// The condition that a row that meets another one is the entity's, too. A root's table has no other rows.
  private static func ofKind(_ entity: EntityInfo, _ condition: SQLExpression) -> SQLExpression {
    entity.superentity == nil ? condition : .all([condition, isKind(entity)])
  }

  /// The condition that a row is of the entity or one below it.
  package static func isKind(_ entity: EntityInfo) -> SQLExpression {
    .inList(.column(entityNameColumn), entity.typeNames.map { .value(.text($0)) })
  }
}
