package import RoostEngine
import RoostSQL

/// What a file must have so that history is recorded.
package struct HistorySetup {
  private let schema: SchemaInfo
  private let wanted: ModelConfiguration.HistoryOptions?
  private let connection: Connection

  /// `wanted`: what the program says; nil where the file decides.
  package init(_ schema: SchemaInfo, _ wanted: ModelConfiguration.HistoryOptions?, _ connection: Connection) {
    (self.schema, self.wanted, self.connection) = (schema, wanted, connection)
  }

  /// What holds for the file.
  package var options: ModelConfiguration.HistoryOptions {
    get throws {
      try wanted ?? Self.recorded(connection)
    }
  }

  /// What a file says of itself: one that says nothing records all.
  package static func recorded(_ connection: Connection) throws -> ModelConfiguration.HistoryOptions {
    try StoreCatalog(connection).value(.history).map { ModelConfiguration.HistoryOptions(fact: $0) } ?? .on
  }

  /// Whether the file records what the options say, and nothing else.
  package var isUpToDate: Bool {
    get throws {
      let (options, present) = (try options, try triggers)
      guard try StoreCatalog(connection).value(.history) == options.fact else { return false }
      if !options.isRecorded { return present.isEmpty }
      guard try HistoryTables.areIntact(in: connection) else { return false }
      var fields = try HistoryFields(connection)
      return try !fields.complete(schema) && present == definitions(fields, options, others: others)
    }
  }

  /// Makes what is missing, and drops what records too much.
  ///
  /// - Returns: what was missing although the file should have had it: another program has dropped or altered it.
  @discardableResult
  package func apply(afterMigration: Bool = false) throws -> [String] {
    let (options, catalog) = (try options, StoreCatalog(connection))
    let fact = try catalog.value(.history)
    let former = fact.map { ModelConfiguration.HistoryOptions(fact: $0) }
    let wasRecorded = former?.isRecorded ?? false
    var damage: [String] = []
    if options.isRecorded {
      if try !HistoryTables.areIntact(in: connection) {
        if wasRecorded { damage.append("tables") }
        try HistoryTables.create(connection, after: wasRecorded ? catalog.value(.historyFloor) : nil)
      }
      try renumber()
    }
    if fact != options.fact { try catalog.set(.history, options.fact) }
    let present = try triggers
    let wanted = options.isRecorded ? try definitions(HistoryFields(connection), options, others: others) : [:]
    for (name, sql) in present where wanted[name] != sql { try drop(name) }
    for (name, sql) in wanted.sorted(by: { $0.key < $1.key }) where present[name] != sql { try connection.execute(sql) }
    // Another program may have made a unique index meanwhile, of which the file knows only now.
    let known = wanted.isEmpty ? [:] : definitions(try HistoryFields(connection), options, others: [:])
    let missing = afterMigration ? [] : Set(known.keys).subtracting(present.keys).sorted()
    // Behind a migration all triggers are missing, whether they were there before or not.
    let hadGaps =
      former.map { former in
        !former.isRecorded
          || schema.entities.contains { entity in
            let names = Set([entity.name, entity.originalName].compactMap(\.self))
            return !options.excludedEntities.contains(entity.name) && !names.isDisjoint(with: former.excludedEntities)
          }
      } ?? false
    // What was changed without a trigger is in no transaction: whoever has a place before that must look at all rows.
    if !missing.isEmpty || options.isRecorded && hadGaps { try HistoryTables.interrupt(connection) }
    return wasRecorded ? damage + missing : []
  }

  /// Has nothing recorded while tables change: a migration is no change of each of its rows.
  ///
  /// - Parameter former: what the file has, to see whether a trigger of it is missing; nil where nothing tells that.
  /// - Throws: what the database reports.
  package func suspend(former: SchemaInfo?) throws {
    let present = try triggers
    // What others changed before is a transaction before it.
    if try HistoryTables.areIntact(in: connection) {
      try HistoryTables.endTransaction(by: HistoryAuthor(), isOwn: false, connection)
      let recorded = try Self.recorded(connection)
      if let former, recorded.isRecorded {
        let wanted = try HistorySetup(former, nil, connection).definitions(
          HistoryFields(connection), recorded, others: [:])
        if !Set(wanted.keys).isSubset(of: present.keys) { try HistoryTables.interrupt(connection) }
      }
    }
    for name in present.keys { try drop(name) }
  }

  /// Notes that the tables became others, as one transaction without changes.
  package func noteMigration(from old: Schema.Version?, to new: Schema.Version?) throws {
    guard try options.isRecorded else { return }
    let versions = HistoryMigration(from: old, to: new).text
    try HistoryTables.endTransaction(by: HistoryAuthor(), isOwn: true, migration: versions, connection)
  }

  /// Keeps the numbers of what a migration renamed; `former` is what names were before it.
  package func renumber(former: [HistoryFields.Name: HistoryFields.Name] = [:]) throws {
    guard try HistoryTables.exist(in: connection) else { return }
    var fields = try HistoryFields(connection)
    if fields.complete(schema, former: former) { try fields.store(connection) }
  }

  private func drop(_ name: String) throws { try connection.execute("DROP TRIGGER \(quotedIdentifier(name))") }

  /// The SQL of the triggers that are there, by name.
  private var triggers: [String: String] {
    get throws {
      let statement = try connection.statement("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      defer { statement.reset() }
      var triggers: [String: String] = [:]
      while try statement.step() {
        let name = statement.string(0)
        if name.hasPrefix(HistoryTriggers.prefix) { triggers[name] = statement.string(1) }
      }
      return triggers
    }
  }

  /// The unique indexes that other programs have made, by table.
  private var others: [String: [UniqueIndex]] {
    get throws { try UniqueIndex.others(besides: schema, connection) }
  }

  private func definitions(
    _ fields: HistoryFields, _ options: ModelConfiguration.HistoryOptions, others: [String: [UniqueIndex]]
  ) -> [String: String] {
    let excluded = options.excludedEntities
    let roots = schema.entities.filter { $0.superentity == nil }
    var definitions: [String: String] = [:]
    for root in roots {
      let triggers = HistoryTriggers(root, fields, others: others[root.table] ?? []) { excluded.contains($0.name) }
      definitions.merge(triggers.definitions) { first, _ in first }
    }
    for table in schema.joinTables {
      let triggers = HistoryJoinTriggers(table, fields) { excluded.contains($0.name) }
      definitions.merge(triggers.definitions) { first, _ in first }
    }
    return definitions
  }
}
