import RoostEngine
import RoostSQL

/// Notes what a connection of this program's changes: for those who listen to the store, and for history in place of
/// its triggers, which take as long as the changes.
///
/// SQLite tells it of each row, whoever causes that. For history it is one value of the transaction's row at the end
/// of a transaction. Where another trigger must run, that of a full-text index for example, all triggers do, and
/// history has from them what they note.
final class HistoryCapture {
  let log: RowChangeLog
  // SAFETY: only the connection's one user reads or writes these, and nothing that does calls out meanwhile.
  /// What of each of the log's tables is what.
  @exclusivity(unchecked) private(set) var tables: [Table] = []
  /// The places of the tables that have rows of one class alone, by that class's place in the schema.
  @exclusivity(unchecked) private(set) var ownTables: [Int: Int] = [:]
  /// SQLite's number of the schema that it is ready for; nil before and after one that may not last.
  @exclusivity(unchecked) private var schemaVersion: Int64?
  /// Whether what is changed is no concern of this for history: triggers note it, or nobody does.
  @exclusivity(unchecked) private(set) var leavesItToTriggers = true
  /// What was noted before the schema changed.
  @exclusivity(unchecked) private var packed: [UInt8] = []
  /// Whether there are triggers that are not Roost's.
  @exclusivity(unchecked) private var hasOthersTriggers = false
  /// Whether it was more than those who listen can be told by rows.
  @exclusivity(unchecked) private(set) var hasChangedSchema = false
  /// The last change that a trigger has noted, all of which are in transactions; nil where that is not known.
  @exclusivity(unchecked) private var lastNoted: Int64?

  final class Table {
    /// The places of the classes in the schema, in the order of the log's.
    var ordinals: [Int] = []
    /// Their numbers in history; -1 for one that is not recorded.
    var entities: [Int64] = []
    /// The numbers of properties in history, by column.
    var fields: [Int64] = []
    /// The columns of properties, by class and index.
    var columns: [Int: [Int: Int]] = [:]
    /// The lists at either side of a link.
    let sides: (List?, List?)
    /// The lists that the table's rows have a place in, as the log has them.
    var lists: [List] = []

    init(sides: (List?, List?) = (nil, nil)) { self.sides = sides }
  }

  struct List: Hashable {
    let ordinal: Int
    let index: Int
    /// In history; -1 where it is not recorded.
    var entity: Int64 = -1
    var field: Int64 = -1

    init(_ list: PropertyInfo, of owner: EntityInfo, _ fields: HistoryFields?, _ excluded: Set<String>) {
      (ordinal, index) = (owner.ordinal, list.index)
      guard !excluded.contains(owner.name), let fields, let number = fields.number(of: owner),
        let field = fields.number(of: list)
      else { return }
      (entity, self.field) = (number, field)
    }
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

  /// Gets ready for the tables as they are. `excluded`: the classes that history leaves out; nil where
  /// nothing is recorded.
  func prepare(_ schema: SchemaInfo, excluding excluded: Set<String>?, _ connection: Connection) throws {
    if schemaVersion != nil, connection.isUnchanged { return }
    let version = try connection.untraced { try connection.schemaVersion() }
    if schemaVersion == version { return }
    try connection.untraced {
      hasOthersTriggers = try Self.hasOthersTriggers(connection)
      leavesItToTriggers = excluded == nil || hasOthersTriggers
      connection.runsTriggers = leavesItToTriggers
      try readTables(schema, excluded, connection)
    }
    schemaVersion = version
  }

  /// What triggers have noted when a transaction ends in which none ran; nil where some may have.
  var noted: HistoryTables.NotedChanges? { mayTriggersHaveRun ? nil : lastNoted.map { ($0, $0) } }

  private var mayTriggersHaveRun: Bool { leavesItToTriggers || hasChangedSchema }

  /// Keeps the last change that triggers have noted. What they noted in this transaction is gone if it fails.
  func keepLastNoted(_ number: Int64) { lastNoted = mayTriggersHaveRun ? nil : number }

  /// `isHeard`: whether anybody is to be told of the rows.
  func begin(isHeard: Bool) {
    packed = []
    hasChangedSchema = false
    log.removeAll()
    log.isLogging = isHeard || !leavesItToTriggers
  }

  /// Ends what ``begin()`` began. What was prepared meanwhile may not last if that `failed`, or if a change of the
  /// schema is not committed after all.
  func end(failed: Bool) {
    log.isLogging = false
    log.removeAll()
    packed = []
    if failed || hasChangedSchema { schemaVersion = nil }
  }

  /// Keeps what was noted, as tables are others now, and goes on with these.
  func schemaChanged(_ schema: SchemaInfo, excluding excluded: Set<String>?, _ connection: Connection) throws {
    pack()
    hasChangedSchema = true
    schemaVersion = nil
    try prepare(schema, excluding: excluded, connection)
    log.isLogging = !leavesItToTriggers
  }

  /// The columns that an update of some properties sets, for ``RowChangeLog/updated``.
  func columns(_ changed: PropertySet, of entity: EntityInfo) -> UInt64 {
    // They may set any column, of any table.
    guard !hasOthersTriggers, let columns = tables.lazy.compactMap({ $0.columns[entity.ordinal] }).first else {
      return .max
    }
    return columns.reduce(0) { bits, column in
      column.value < 64 && changed.contains(column.key) ? bits | 1 << UInt64(column.value) : bits
    }
  }

  /// Runs a statement that sets no other columns than some: the others need not be compared.
  func updating<Result>(_ columns: UInt64, _ body: () throws -> Result) rethrows -> Result {
    log.updated = columns
    defer { log.updated = .max }
    return try body()
  }

  /// What history has of what was noted since ``begin(isHeard:)``; nil if nothing. Nothing is known of it afterwards.
  func takeChanges() -> [UInt8]? {
    pack()
    return packed.isEmpty ? nil : packed
  }

  // MARK: - Packing

  private func pack() {
    if leavesItToTriggers { return log.removeAll() }
    var links: Set<Link> = []
    var fields = ByColumns<[Int64]>()
    log.forEachRun { pack($0, &links, &fields) }
    if !links.isEmpty { packUpdates(of: links) }
    log.removeAll()
  }

  /// Packs entries that are the same change of different rows.
  private func pack(_ run: Range<Int>, _ links: inout Set<Link>, _ known: inout ByColumns<[Int64]>) {
    let (entries, values) = (log.entries, log.bytes)
    let change = entries[run.lowerBound]
    let table = tables[Int(change.table)]
    if change.rowClass < 0 {
      for entry in entries[run] {
        for (list, key) in lists(of: entry, table) where list.field >= 0 { links.insert(Link(list: list, key: key)) }
      }
      return
    }
    let entity = table.entities[Int(change.rowClass)]
    if entity < 0 { return }
    let fields =
      change.kind == .inserted ? [] : known.value(change, log.wide[run.lowerBound]) { Self.fields(of: table, $0) }
    for place in run {
      let entry = entries[place]
      let end = place + 1 < entries.count ? entries[place + 1].start : values.count
      HistoryPack.append(
        HistoryTables.Kind(entry.kind), entity: entity, key: entry.key, count: entry.count, fields: fields,
        values: entry.hasValues ? values[entry.start..<end] : nil, to: &packed)
    }
  }

  /// The lists that an entry without a class changes, each with the key of the row whose list it is: those on both
  /// sides of a link, or the one that has another order.
  func lists(of entry: RowChangeLog.Entry, _ table: Table) -> [(list: List, key: Int64)] {
    if log.tables[Int(entry.table)].link == nil { return [(table.lists[Int(entry.columns)], entry.key)] }
    let sides: [(List?, Int64, Int64)] = [
      (table.sides.0, 1, entry.key), (table.sides.1, 2, Int64(bitPattern: entry.columns)),
    ]
    return sides.compactMap { list, bit, key in entry.count & bit == 0 ? nil : list.map { ($0, key) } }
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
    // Not of rows that were deleted, and took their links along. By tables, as a class
    // above the row's may have the list.
    var deleted: [Int: Set<Int64>] = [:]
    for entry in log.entries where entry.kind == .deleted && entry.rowClass >= 0 {
      deleted[Int(entry.table), default: []].formUnion(entry.key...(entry.key + (entry.count - 1)))
    }
    let places = Dictionary(
      tables.enumerated().flatMap { place, table in table.entities.map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
    for link in links.sorted() {
      if let place = places[link.list.entity], deleted[place]?.contains(link.key) ?? false { continue }
      HistoryPack.append(
        .updated, entity: link.list.entity, key: link.key, count: 1, fields: [link.list.field], values: nil, to: &packed
      )
    }
  }

  /// The properties in history that a change's words have a bit for. There are only as many words as there must be.
  private static func fields(of table: Table, _ words: [UInt64]) -> [Int64] {
    table.fields.indices.filter { $0 / 64 < words.count && words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
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

  private func readTables(_ schema: SchemaInfo, _ excluded: Set<String>?, _ connection: Connection) throws {
    let fields = try excluded.map { _ in try HistoryFields(connection) }
    let (columns, excluded) = (try TableColumns(of: schema.tablesOfRows, connection), excluded ?? [])
    var described: [(table: Table, log: RowChangeLog.Table)] = []
    for root in schema.entities where root.superentity == nil {
      described.append(try Self.table(root, fields, columns, excluded))
    }
    for join in schema.joinTables {
      func list(_ entity: EntityInfo, _ column: String) -> List? {
        join.list(of: entity, by: column).map { List($0, of: entity, fields, excluded) }
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
    ownTables = [:]
    for (place, table) in tables.enumerated() where table.ordinals.count == 1 && log.tables[place].classes == nil {
      ownTables[table.ordinals[0]] = place
    }
  }

  private static func table(
    _ root: EntityInfo, _ fields: HistoryFields?, _ columns: TableColumns, _ excluded: Set<String>
  ) throws -> (Table, RowChangeLog.Table) {
    let table = Table()
    var logged = RowChangeLog.Table(root.table, columns: [])
    let classes = root.selfAndDescendants
    table.ordinals = classes.map(\.ordinal)
    table.entities = classes.map { excluded.contains($0.name) ? -1 : fields?.number(of: $0) ?? -1 }
    for property in classes.flatMap(\.ownProperties) {
      guard let name = property.column, let column = try columns.column(name, in: root.table) else { continue }
      let number = fields?.number(of: property) ?? -1
      if number < 0, fields != nil { continue }
      for entity in classes where entity.isKind(of: property.owner) {
        if let own = entity.properties.first(where: { $0.column == name }) {
          table.columns[entity.ordinal, default: [:]][own.index] = table.fields.count
        }
      }
      if fields != nil, property.options.contains(.preserveValueOnDeletion) { logged.kept.append(table.fields.count) }
      table.fields.append(number)
      logged.columns.append(column)
      guard let ordered = OrderedList(property), let place = columns.position(ordered.place, in: root.table) else {
        continue
      }
      table.lists.append(List(ordered.list, of: ordered.list.owner, fields, excluded))
      logged.memberships.append(RowChangeLog.Membership(owner: column.position, place: place))
    }
    if root.isMixed, let column = try columns.column(entityNameColumn, in: root.table) {
      logged.classes = RowChangeLog.Classes(column: column, names: classes.map(\.name))
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
