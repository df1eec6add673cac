import Foundation
import RoostCore
import RoostEngine
import RoostSQL

/// Brings the tables of a stored schema to those of another, in the transaction that its connection is in.
///
/// Foreign keys must be off, for the tables that others refer to are replaced.
/// Source: [SQLite's twelve steps](https://www.sqlite.org/lang_altertable.html#otheralter).
struct Migrator {
  static let newPrefix = "_roost_new_"

  let connection: Connection
  let schema: SchemaInfo
  var mapping: SchemaMapping
  let old: StoredSchema
  /// Where large values are; nil in memory.
  let files: ExternalFiles?
  /// The rows that the code of a stage must set.
  var gaps: [MigrationCheck] = []
  /// What is done while the tables of both schemas are there; nil when they need not be.
  var withBoth: (() throws -> Void)?
  var monitor: MigrationMonitor?

  init(
    _ connection: Connection, from old: StoreDefinition, to schema: SchemaInfo, files: ExternalFiles?,
    _ monitor: MigrationMonitor? = nil
  ) throws {
    self.connection = connection
    self.schema = schema
    self.old = StoredSchema(old)
    self.files = files
    self.monitor = monitor
    mapping = try SchemaMappingBuilder(from: old, to: schema).mapping
    // A full-text index that an earlier stage made is still being read until then, and so are functions in use.
    try connection.execute("SAVEPOINT _roost_stage; RELEASE _roost_stage")
    addFunctions()
  }

  /// Changes the tables and what the file says of them.
  ///
  /// - Throws: `SwiftDataError` before anything is changed when something is in the way, `DatabaseError`.
  func run(version: Schema.Version?) throws {
    try dropFullText()
    let foreign = try ForeignObjects(connection)
    try foreign.drop(connection)
    let plans = try tablePlans()
    for plan in plans { try fill(plan) }
    if let withBoth {
      try nameNewModels()
      try withBoth()
    }
    for plan in plans { try removeOld(plan) }
    for name in droppedTables(plans) { try run(.drop(SQLDrop(.table, name, ifExists: true))) }
    for plan in plans { try finish(plan) }
    try monitor?.begin(.indexes)
    try makeIndexes(besides: foreign)
    try StoreSetup.apply(try StoreSetup.fullTextChanges(connection, schema, stored: []), connection)
    try foreign.restore(connection)
    try mendReferences()
    try describe(version)
  }

  /// Does what had to wait for what a stage does last, which has set all rows by now, and may have deleted some.
  mutating func finish() throws {
    gaps = []
    try makeIndexes(besides: try ForeignObjects(connection))
    try mendReferences()
  }

  /// Whether any table that is there changes, or links in one, so that a mistake could cost something.
  var changesTables: Bool {
    get throws {
      let plans = try tablePlans()
      let isChanged = plans.contains { plan in
        if case .alter(let changes, _) = plan.change { !changes.isEmpty } else { plan.source != nil }
      }
      return isChanged || !droppedTables(plans).isEmpty || !mapping.narrowed.isEmpty
    }
  }

  func run(_ statement: SQLStatement) throws { try connection.run(statement) }

  // MARK: - Tables

  /// One new table, and how it comes about.
  struct TablePlan {
    let definition: SQLCreateTable
    /// The old table; nil when there is none.
    let source: String?
    let change: TableChange
    /// The rows of the new table; nil when it begins empty.
    let rows: SQLSelect?
  }

  func tablePlans() throws -> [TablePlan] {
    let names = Set(
      (old.definition.entities.map(\.name) + old.joinTables).map(\.foldedName))
    let models = try mapping.tables.map { table in
      let definition = TableDefinitions.table(for: table.entity)
      var table = table
      table.values = mapping.valuesByClass(of: table, from: old)
      return try plan(
        definition, from: table.isExtracted ? nil : table.source, values: table.values, isWhole: table.filter == nil,
        rows: table.select(definition.columns.map(\.name)), names)
    }
    let joins = try mapping.joinRows.map { rows in
      let definition = TableDefinitions.table(for: rows.table)
      guard let source = rows.sources.first, rows.sources.count == 1 else {
        return try plan(definition, from: nil, rows: rows.select, names)
      }
      let columns = rows.values(of: source)
      let isTable = old.joinTables.contains(source.table)
      let values = Dictionary(
        zip(definition.columns.map(\.name), columns).compactMap { name, column in
          column.map { (name, SQLExpression.column(SchemaMapping.oldRow, $0)) }
        }, uniquingKeysWith: { first, _ in first })
      return try plan(
        definition, from: isTable ? source.table : nil, values: values, isWhole: true,
        rows: rows.select, names)
    }
    let plans = models + joins
    let wanted = Set(plans.map(\.definition.name.foldedName))
    return plans.map { plan in
      guard let source = plan.source else { return plan }
      // Two tables cannot both be the old one, nor may its name go on in references that mean another one by now.
      let isShared = plans.count(where: { $0.source == source }) > 1
      let isReused = plan.definition.name != source && wanted.contains(source.foldedName)
      guard isShared || isReused else { return plan }
      return TablePlan(definition: plan.definition, source: source, change: .rebuild, rows: plan.rows)
    }
  }

  private func plan(
    _ definition: SQLCreateTable, from source: String?, values: [String: SQLExpression] = [:],
    isWhole: Bool = true, rows: SQLSelect?, _ names: Set<String>
  ) throws -> TablePlan {
    guard let source else {
      return TablePlan(definition: definition, source: nil, change: .rebuild, rows: rows?.from == nil ? nil : rows)
    }
    if withBoth != nil { return TablePlan(definition: definition, source: source, change: .rebuild, rows: rows) }
    let change = TableChange(
      to: definition, from: source, try StoredTable(source, in: connection), values: values,
      isWhole: isWhole, names: names.subtracting([source.foldedName]))
    return TablePlan(definition: definition, source: source, change: change, rows: rows)
  }

  private func fill(_ plan: TablePlan) throws {
    guard case .rebuild = plan.change else { return }
    var table = plan.definition
    table.name = Self.newPrefix + table.name
    try run(.createTable(table))
    guard let rows = plan.rows else { return }
    let columns = table.columns.map(\.name)
    guard let monitor, let source = plan.source else {
      return try run(.insert(SQLInsert(into: table.name, columns, .select(rows))))
    }
    try copy(rows, of: source, monitor, plan.definition.name) { part in
      try run(.insert(SQLInsert(into: table.name, columns, .select(part))))
    }
  }

  private func removeOld(_ plan: TablePlan) throws {
    guard case .rebuild = plan.change, let source = plan.source else { return }
    try run(.drop(SQLDrop(.table, source, ifExists: true)))
  }

  /// Old tables without a successor.
  func droppedTables(_ plans: [TablePlan]) -> [String] {
    Set(old.roots.map(\.name) + old.joinTables).subtracting(plans.compactMap(\.source)).sorted()
  }

  private func finish(_ plan: TablePlan) throws {
    switch plan.change {
    case .alter(let changes, let fills):
      for change in changes { try run(.alterTable(change)) }
      for fill in fills { try run(.update(fill)) }
    case .rebuild:
      try run(.alterTable(.rename(Self.newPrefix + plan.definition.name, to: plan.definition.name)))
    }
  }

  // MARK: - What belongs to tables

  private func dropFullText() throws {
    let names = old.definition.entities.flatMap { $0.fullText ?? [] }.map(\.name)
    try StoreSetup.apply(StoreSetup.FullTextChanges(dropped: names), connection)
  }

  /// Saves look for the last key of a model in the file.
  private func nameNewModels() throws {
    for entity in schema.entities {
      let statement = try connection.statement(
        "INSERT OR IGNORE INTO _roost_entity (name, last_key, definition) VALUES (?, ?, '')")
      statement.bind(entity.name, at: 1)
      statement.bind(try formerKey(of: entity) ?? 0, at: 2)
      try statement.run()
    }
  }

  /// The last key that a model of the name had which went.
  private func formerKey(of entity: EntityInfo) throws -> Int64? {
    try StoreCatalog(connection).value(.lastKey(of: entity.root.name)).flatMap { Int64($0) }
  }

  private func largestKey(of root: EntityInfo) throws -> Int64 {
    let largest = SQLSelect(
      [SQLResultColumn(.aggregate(.maximum, .column(primaryKeyColumn), isDistinct: false))], from: .table(root.table))
    let statement = try connection.statement(SQLitePrinter.print(largest).sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }

  private func describe(_ version: Schema.Version?) throws {
    let keys = try connection.statement("SELECT name, last_key FROM _roost_entity")
    var lastKeys: [String: Int64] = [:]
    while try keys.step() { lastKeys[keys.string(0)] = keys.int64(1) }
    keys.reset()
    try connection.execute("DELETE FROM _roost_entity")
    // A model that goes may come back, and its keys are still in history, and in identifiers that somebody keeps.
    let catalog = StoreCatalog(connection)
    let staying = Set(mapping.sources.values.map(old.table))
    for root in old.roots where !staying.contains(root.name) {
      if let last = lastKeys[root.name], last > 0 { try catalog.set(.lastKey(of: root.name), "\(last)") }
    }
    for entity in schema.entities {
      let names = entity.root.selfAndDescendants.compactMap { mapping.sources[$0.name] }.map(old.table)
      let known = (names + [entity.root.name]).map { lastKeys[$0] } + [try formerKey(of: entity)]
      // Rows that were made of others' properties have the keys of those.
      let last = (known.compactMap(\.self) + [try largestKey(of: entity.root)]).max() ?? 0
      try StoreSetup.describe(try EntityDefinition(entity), lastKey: last, connection)
    }
    try StoreSetup.setVersion(version, connection)
    try catalog.remember(old.definition)
    try HistorySetup(schema, nil, connection).renumber(former: mapping.formerNames)
  }

  // MARK: - Functions

  private func addFunctions() {
    let (schema, files) = (schema, files)
    connection.addFunction(SQLFunction.defaultValue.name, arguments: 2, isDeterministic: false) { arguments in
      guard let property = schema.entity(named: arguments.string(0))?.property(named: arguments.string(1)),
        case .attribute(let codec) = property.kind, let value = StoredDefault.value(property, codec)
      else { return .null }
      return DatabaseValue(value)
    }
    connection.addFunction(SQLFunction.externalValue.name, arguments: 2) { arguments in
      let value = SQLValue(arguments.value(0))
      guard let type = _ColumnType(rawValue: arguments.string(1)), let name = ExternalReference.name(value, in: type)
      else { return arguments.value(0) }
      guard let bytes = try files?.read(name) else {
        throw DatabaseError(
          code: DatabaseError.ioError,
          message: "the file of a value, \(files?.url(of: name).path ?? name.text), is gone: restore it, or its row")
      }
      return type == .blob ? .blob(Array(bytes)) : .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension Connection {
  /// Runs a statement that returns no rows.
  func run(_ statement: SQLStatement) throws {
    let text = SQLitePrinter.print(statement)
    let prepared = try self.statement(text.sql)
    prepared.bind(text.arguments)
    try prepared.run()
  }
}

extension SchemaMapping.JoinRows {
  /// The columns of a source that become those of the table, in the order of these.
  func values(of source: LinkSource) -> [String?] {
    [source.owner, source.target, source.ownerPosition, source.targetPosition]
  }

  /// The rows that the table will have; nil for none.
  var select: SQLSelect? {
    let selects = sources.map { source in source.select(values(of: source).map { $0.map(source.column) ?? .null }) }
    guard var select = selects.first else { return nil }
    select.compounds = selects.dropFirst().map { SQLCompound(.unionAll, $0) }
    return select
  }
}
