import RoostEngine
import RoostSQL

/// Notes what a connection of this program's changes, in place of the triggers, which take as long as the changes.
///
/// SQLite tells it of each row; at the end of a transaction it is one value of the transaction's row. Where another trigger
/// must run, that of a full-text index for example, all triggers do, and it has nothing to note.
final class HistoryCapture {
  private let log: RowChangeLog
  /// What of each of the log's tables is what in history.
  private var tables: [Table] = []
  /// SQLite's number of the schema that it is ready for; nil before and after one that may not last.
  private var schemaVersion: Int64?
  /// Whether the triggers note what is changed.
  private(set) var leavesItToTriggers = true
  /// What was noted before the schema changed.
  private var packed: [UInt8] = []

  private struct Table {
    /// By class.
    var entities: [Int64] = []
    /// By column.
    var fields: [Int64] = []
    /// The columns of properties, by entity and index.
    var columns: [Int: [Int: Int]] = [:]
    /// The lists at either side of a link, where they are recorded.
    var sides: (List?, List?)
    /// The lists that the table's rows have a place in, as the log has them.
    var lists: [List] = []
  }

  private struct List: Hashable {
    let entity: Int64
    let field: Int64
  }

  private init(_ log: RowChangeLog) { self.log = log }

  /// The one of a connection that writes; nil where SQLite does not tell of rows.
  static func of(_ connection: Connection) throws -> HistoryCapture? {
    if let capture = connection.companion as? HistoryCapture { return capture }
    let log = RowChangeLog()
    guard try connection.log(log) else { return nil }
    let capture = HistoryCapture(log)
    connection.companion = capture
    return capture
  }

  /// Gets ready for the tables as they are.
  func prepare(_ schema: SchemaInfo, excluding excluded: Set<String>, _ connection: Connection) throws {
    if schemaVersion != nil, connection.isUnchanged { return }
    let version = try connection.untraced { try connection.schemaVersion() }
    if schemaVersion == version { return }
    try connection.untraced {
      leavesItToTriggers = try Self.hasOthersTriggers(connection)
      connection.runsTriggers = leavesItToTriggers
      if !leavesItToTriggers { try readTables(schema, excluded, connection) }
    }
    schemaVersion = version
  }

  func begin() {
    packed = []
    log.removeAll()
    log.isLogging = !leavesItToTriggers
  }

  /// Ends what ``begin()`` began. What was prepared meanwhile may not last if that `failed`.
  func end(failed: Bool) {
    log.isLogging = false
    log.removeAll()
    packed = []
    if failed { schemaVersion = nil }
  }

  /// Keeps what was noted, as tables are others now, and goes on with these.
  func schemaChanged(_ schema: SchemaInfo, excluding excluded: Set<String>, _ connection: Connection) throws {
    pack()
    schemaVersion = nil
    try prepare(schema, excluding: excluded, connection)
    log.isLogging = !leavesItToTriggers
  }

  /// The columns that an update of some properties sets, for ``RowChangeLog/updated``.
  func columns(_ changed: PropertySet, of entity: EntityInfo) -> UInt64 {
    guard let columns = tables.lazy.compactMap({ $0.columns[entity.ordinal] }).first else { return .max }
    return columns.reduce(0) { bits, column in
      column.value < 64 && changed.contains(column.key) ? bits | 1 << UInt64(column.value) : bits
    }
  }

  /// Runs a statement that sets no other columns than some: the others need not be compared.
  func updating(_ columns: UInt64, _ body: () throws -> Void) rethrows {
    log.updated = columns
    defer { log.updated = .max }
    try body()
  }

  /// What was noted since ``begin()``; nil if nothing was.
  var changes: [UInt8]? {
    pack()
    return packed.isEmpty ? nil : packed
  }

  // MARK: - Packing

  private func pack() {
    var links: Set<Link> = []
    for (place, entry) in log.entries.enumerated() {
      let table = tables[Int(entry.table)]
      if log.tables[Int(entry.table)].link != nil {
        let (first, second) = (entry.key, Int64(bitPattern: entry.columns))
        if let list = table.sides.0, entry.count & 1 != 0 { links.insert(Link(list: list, key: first)) }
        if let list = table.sides.1, entry.count & 2 != 0 {
          links.insert(Link(list: list, key: second))
        }
        continue
      }
      if entry.rowClass < 0 {
        links.insert(Link(list: table.lists[Int(entry.columns)], key: entry.key))
        continue
      }
      let entity = table.entities[Int(entry.rowClass)]
      if entity < 0 { continue }
      let end = place + 1 < log.entries.count ? log.entries[place + 1].start : log.bytes.count
      HistoryPack.append(
        HistoryTables.Kind(entry.kind), entity: entity, key: entry.key, count: entry.count,
        fields: fields(of: table, entry, place), values: entry.hasValues ? log.bytes[entry.start..<end] : nil,
        to: &packed)
    }
    if !links.isEmpty { packUpdates(of: links) }
    log.removeAll()
  }

  /// A list that a link was added to, or taken from, or whose members have another order.
  private struct Link: Hashable, Comparable {
    let list: List
    let key: Int64

    static func < (left: Link, right: Link) -> Bool {
      (left.list.entity, left.list.field, left.key) < (right.list.entity, right.list.field, right.key)
    }
  }

  private func packUpdates(of links: Set<Link>) {
    // Not of rows that were deleted, and took their links along.
    var deleted: [Int64: Set<Int64>] = [:]
    for entry in log.entries where entry.kind == .deleted && entry.rowClass >= 0 {
      let entity = tables[Int(entry.table)].entities[Int(entry.rowClass)]
      deleted[entity, default: []].formUnion(entry.key...(entry.key + (entry.count - 1)))
    }
    for link in links.sorted() where !(deleted[link.list.entity]?.contains(link.key) ?? false) {
      HistoryPack.append(
        .updated, entity: link.list.entity, key: link.key, count: 1, fields: [link.list.field], values: nil, to: &packed
      )
    }
  }

  private func fields(of table: Table, _ entry: RowChangeLog.Entry, _ place: Int) -> [Int64] {
    let words = log.wide[place] ?? [entry.columns]
    return table.fields.indices.filter { $0 / 64 < words.count && words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
      .map { table.fields[$0] }
  }

  // MARK: - Tables

  private static func hasOthersTriggers(_ connection: Connection) throws -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, length(?1)) <> ?1 LIMIT 1")
    defer { statement.reset() }
    statement.bind(HistoryTriggers.prefix, at: 1)
    return try statement.step()
  }

  private func readTables(_ schema: SchemaInfo, _ excluded: Set<String>, _ connection: Connection) throws {
    let (fields, columns) = (try HistoryFields(connection), try TableColumns(connection))
    var described: [(table: Table, log: RowChangeLog.Table)] = []
    for root in schema.entities where root.superentity == nil {
      described.append(Self.table(root, fields, columns, excluded))
    }
    for join in schema.joinTables {
      func list(_ entity: EntityInfo, _ column: String) -> List? {
        guard !excluded.contains(entity.name), let property = join.list(of: entity, by: column),
          let field = fields.number(of: property), let number = fields.number(of: entity)
        else { return nil }
        return List(entity: number, field: field)
      }
      let sides = (list(join.owner, join.ownerColumn), list(join.destination, join.destinationColumn))
      guard sides.0 != nil || sides.1 != nil, let first = columns.position(join.ownerColumn, in: join.name),
        let second = columns.position(join.destinationColumn, in: join.name)
      else { continue }
      let places = [join.destinationColumn, join.ownerColumn].map {
        columns.position(positionColumnName(of: $0), in: join.name)
      }
      let link = RowChangeLog.Link(keys: (first, second), places: (places[0], places[1]))
      described.append((Table(sides: sides), RowChangeLog.Table(join.name, columns: [], link: link)))
    }
    tables = described.map(\.table)
    log.tables = described.map(\.log)
  }

  private static func table(
    _ root: EntityInfo, _ fields: HistoryFields, _ columns: TableColumns, _ excluded: Set<String>
  ) -> (Table, RowChangeLog.Table) {
    var (table, logged) = (Table(), RowChangeLog.Table(root.table, columns: []))
    let classes = root.selfAndDescendants
    table.entities = classes.map { excluded.contains($0.name) ? -1 : fields.number(of: $0) ?? -1 }
    for property in classes.flatMap(\.ownProperties) {
      guard let name = property.column, let column = columns.column(name, in: root.table),
        let number = fields.number(of: property)
      else { continue }
      for entity in classes where entity.isKind(of: property.owner) {
        if let own = entity.properties.first(where: { $0.column == name }) {
          table.columns[entity.ordinal, default: [:]][own.index] = table.fields.count
        }
      }
      if property.options.contains(.preserveValueOnDeletion) { logged.kept.append(table.fields.count) }
      table.fields.append(number)
      logged.columns.append(column)
      guard let ordered = OrderedList(property), !excluded.contains(ordered.list.owner.name),
        let place = columns.position(ordered.place, in: root.table), let field = fields.number(of: ordered.list),
        let owner = fields.number(of: ordered.list.owner)
      else { continue }
      table.lists.append(List(entity: owner, field: field))
      logged.memberships.append(RowChangeLog.Membership(owner: column.position, place: place))
    }
    if root.isMixed, let column = columns.position(entityNameColumn, in: root.table) {
      logged.classes = (column, classes.map(\.name))
    }
    return (table, logged)
  }
}

/// The list that a to-one relationship is the other side of, with the column for the place in it.
struct OrderedList {
  let list: PropertyInfo
  let place: String

  /// nil where there is no such list.
  init?(_ property: PropertyInfo) {
    guard case .toOne(let relationship) = property.kind, let column = property.column,
      let inverse = relationship.inverse,
      case .toMany = relationship.destination.properties[inverse].kind
    else { return nil }
    (list, place) = (relationship.destination.properties[inverse], positionColumnName(of: column))
  }
}

extension HistoryTables.Kind {
  fileprivate init(_ kind: RowChangeLog.Kind) {
    self =
      switch kind {
      case .inserted: .inserted
      case .updated: .updated
      case .deleted: .deleted
      }
  }
}

extension JoinTable {
  /// The list that a side of the table's links is, by the column of that side's key; nil where that side has none.
  func list(of entity: EntityInfo, by column: String) -> PropertyInfo? {
    entity.ownProperties.first { property in
      if case .joinTable(name, column, _) = property.relationship?.storage { true } else { false }
    }
  }
}
