import RoostCore
import RoostSQL

/// The SQL of a synced table's rows, printed once.
struct SyncedRowSQL: Sendable {
  /// The columns that are read, after the key and the type.
  let columns: [String]
  /// Their indexes by their names.
  let indexes: [String: Int]
  /// The properties of the first of them, and whose they are; the others are positions in lists.
  let properties: [(property: PropertyInfo, owner: EntityInfo)]
  /// Parameters: the key.
  let select: String
  /// Parameters: the key, the type where there are several, and each column of ``columns``.
  let insert: String
  /// Parameters: the key.
  let delete: String
  /// The keys behind one, in order. Parameters: that key, and how many.
  let keys: String
  /// By the columns with positions in lists.
  let lists: [String: ListPositions.SQL]
  let hasTypes: Bool
  private let table: String

  init(_ entity: SyncedEntity) {
    let root = entity.root
    hasTypes = root.isMixed
    table = root.table
    // Those that are not synced have a value too: a new row gets their defaults.
    properties = entity.classes.flatMap { owner in
      owner.ownProperties.filter { $0.column != nil }.map { ($0, owner) }
    }
    columns = properties.compactMap(\.property.column) + entity.fields.filter(\.isPosition).compactMap(\.column)
    indexes = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let first = [primaryKeyColumn] + (hasTypes ? [entityNameColumn] : [])
    let key = SQLExpression.binary(.equal, .column(primaryKeyColumn), .parameter)
    select = SQLitePrinter.template(
      SQLSelect((first + columns).map { SQLResultColumn(.column($0)) }, from: .table(table), where: key))
    insert = SQLitePrinter.template(
      SQLInsert(into: table, first + columns, .rows([(first + columns).map { _ in .parameter }])))
    delete = SQLitePrinter.print(SQLDelete(from: table, where: key)).sql
    let lists = entity.fields.compactMap { field in
      if case .position(let column, let owner) = field.kind {
        (column, ListPositions.SQL(root.table, owner, column))
      } else {
        nil
      }
    }
    self.lists = Dictionary(lists, uniquingKeysWith: { first, _ in first })
    let name = quotedIdentifier(primaryKeyColumn)
    keys = """
      SELECT \(name) FROM \(quotedIdentifier(table)) WHERE \(name) > ? ORDER BY \(name) LIMIT ?
      """
  }

  /// Parameters: the columns' values, then the key.
  func update(_ columns: [String]) -> String {
    SQLitePrinter.template(
      SQLUpdate(
        table, set: columns.map { SQLAssignment($0, .parameter) },
        where: .binary(.equal, .column(primaryKeyColumn), .parameter)))
  }
}
