import Foundation
import RoostCore
import RoostEngine
import RoostSQL

/// One file's way from the schema it has to the one that the program wants.
struct Migration {
  private let connection: Connection
  private let setup: StoreSetup

  init(_ connection: Connection, setup: StoreSetup) {
    self.connection = connection
    self.setup = setup
  }

  /// Runs within the transaction that the connection is in, after a backup, which it hands out as soon as there is one.
  func run(from stored: StoreDefinition, to wanted: StoreDefinition, _ outcome: inout Outcome) throws {
    setup.monitor?.watch(connection)
    guard let plan = setup.plan else {
      try finishBackfills(setup.schema)
      let migrator = try Migrator(connection, from: stored, to: setup.schema, files: try files, setup.monitor)
      outcome.drops = try migrator.drops(for: wanted, setup.configuration)
      if try migrator.changesTables { outcome.backup = try makeBackup(of: stored) }
      try migrator.run(version: setup.version)
      if !outcome.drops.isEmpty, let backup = outcome.backup {
        try StoreCatalog(connection).keep(backup.url.lastPathComponent)
      }
      return
    }
    let route = try MigrationRoute(plan, from: stored, to: wanted)
    outcome.backup = try makeBackup(of: stored)
    var stored = stored
    for leg in route.legs {
      setup.monitor?.enter(stage: "\(leg.from.name) → \(leg.to.name)")
      try finishBackfills(leg.from.schema)
      try run(leg, from: stored)
      // With the names that the file knew: later stages may refer to them.
      stored = leg.to.definition
    }
  }

  private func makeBackup(of stored: StoreDefinition) throws -> MigrationBackup? {
    guard let monitor = setup.monitor else {
      return try MigrationBackup.make(of: setup.pool, holding: connection, stored, setup.configuration)
    }
    try monitor.begin(.backup)
    return try MigrationBackup.make(of: setup.pool, holding: connection, stored, setup.configuration) {
      try monitor.advance(to: $1 - $0, of: $1)
    }
  }

  private func run(_ leg: MigrationRoute.Leg, from stored: StoreDefinition) throws {
    switch leg.stage {
    case .lightweight:
      try migrator(from: stored, to: leg.to.schema, drops: .declared).run(version: leg.to.number)
    case .stepwise(_, _, let steps, let migrate):
      try runFirst(steps, leg, stored)
      var migrator = try migrator(from: stored, to: leg.to.schema, drops: .declared, code: leg.stage.code) { migrator in
        try migrator.mapping.apply(steps, from: leg.from.schema, to: leg.to.schema)
        try steps.addFunction(to: connection, from: leg.from.schema, to: leg.to.schema)
      }
      if let migrate {
        let rows = try UnfilledRows(migrator.gaps, connection)
        migrator.withBoth = { try rows.filled(inTablesOf: Migrator.newPrefix) { try use(both: leg, migrate) } }
      }
      try migrator.run(version: leg.to.number)
      for backfill in try leg.stage.backfills() { try backfill.begin(connection) }
      let last = steps.compactMap(\.lastSQL)
      for text in last { try connection.execute(text) }
      if !last.isEmpty { try migrator.finish() }
    case .custom(_, _, let willMigrate, let didMigrate):
      if let willMigrate { try use(leg.from, willMigrate) }
      var migrator = try migrator(from: stored, to: leg.to.schema, drops: .all, code: leg.stage.code)
      let rows = try UnfilledRows(migrator.gaps, connection)
      try migrator.run(version: leg.to.number)
      try rows.filled { if let didMigrate { try use(leg.to, didMigrate) } }
      try migrator.finish()
    }
  }

  /// Later stages see all values.
  private func finishBackfills(_ schema: SchemaInfo) throws {
    try Backfills(Backfill.notes(connection), setup.plan, schema)?.finish(connection)
  }

  /// What a stage does before its tables change.
  private func runFirst(_ steps: [MigrationStep], _ leg: MigrationRoute.Leg, _ stored: StoreDefinition) throws {
    for step in steps {
      switch step.action {
      case .sql(let text, .before): try connection.execute(text)
      case .deduplicate(let paths, let kept):
        let schema = leg.from.schema
        guard let name = paths.first.flatMap({ schema.entity(for: $0.model)?.name }),
          let entity = stored.entity(named: name)
        else { continue }
        try Deduplication(
          connection: connection, schema: StoredSchema(stored), entity: entity,
          columns: paths.compactMap { try $0.stored(in: schema).column }, kept: kept
        ).run()
      default: break
      }
    }
  }

  // MARK: - Tables

  /// What may go in a stage with all it holds.
  private enum Drops {
    /// What its newer version does not declare any more, unless it may have been renamed.
    case declared
    /// Everything: code of the stage has seen it.
    case all
  }

  /// What changes the tables in a stage, once nothing is in its way.
  ///
  /// - Throws: `SwiftDataError` with all obstacles.
  private func migrator(
    from stored: StoreDefinition, to schema: SchemaInfo, drops: Drops, code: MigrationStage.Code? = nil,
    _ prepare: (inout Migrator) throws -> Void = { _ in }
  ) throws -> Migrator {
    var migrator = try Migrator(connection, from: stored, to: schema, files: try files, setup.monitor)
    try prepare(&migrator)
    if code != nil { migrator.gaps = try migrator.mapping.leaveGaps() }
    let mayDrop = setup.configuration.storeOptions.migration.mayDrop
    let obstacles = try migrator.mapping.checks.filter { check in
      guard let drop = check.drop else { return !check.isUnique || code != .ofBoth }
      return switch drops {
      case .declared: drop.mayBeRenamed && !mayDrop.contains(drop.name)
      case .all: false
      }
    }.compactMap { try $0.obstacle(connection) }
    if !obstacles.isEmpty { throw SwiftDataError.obstacles(obstacles, url: setup.configuration.url) }
    return migrator
  }

  /// What is known of a migration in its course.
  struct Outcome {
    var backup: MigrationBackup?
    /// What the program did not declare any more, and went with all it held.
    var drops: [MigrationReport.Drop] = []
  }

  private var files: ExternalFiles? {
    get throws {
      setup.configuration.isStoredInMemoryOnly
        ? nil : ExternalFiles(of: setup.configuration.url, cipher: try FileCipher(connection))
    }
  }

  // MARK: - The stages' own code

  /// Gives the code of a stage a context of a version's models, and saves what it leaves unsaved.
  private func use(_ version: PlannedVersion, _ body: (ModelContext) throws -> Void) throws {
    try withPool { pool in
      let context = try context(of: version, version.schema, pool)
      try body(context)
      if context.hasChanges { try context.save() }
    }
  }

  /// The same with contexts of both versions, whose tables are there at once.
  private func use(
    both leg: MigrationRoute.Leg, _ body: (_ old: ModelContext, _ new: ModelContext) throws -> Void
  ) throws {
    let schema = try SchemaInfo(leg.to.type.models, tablePrefix: Migrator.newPrefix)
    // Relationships are found by them. They get their own names, and are unique, when the tables have theirs.
    let indexes = TableDefinitions.indexes(of: schema)
    for var index in indexes {
      index.isUnique = false
      try connection.execute(SQLitePrinter.print(.createIndex(index)).sql)
    }
    try withPool { pool in
      let (old, new) = (try context(of: leg.from, leg.from.schema, pool), try context(of: leg.to, schema, pool))
      try body(old, new)
      if new.hasChanges { try new.save() }
    }
    for index in indexes {
      try connection.execute(SQLitePrinter.print(.drop(SQLDrop(.index, index.name, ifExists: true))).sql)
    }
  }

  /// Whoever keeps what used the pool finds it closed.
  private func withPool(_ body: (Pool) throws -> Void) throws {
    try setup.monitor?.begin(.code)
    let pool = Pool(sharing: connection)
    defer {
      PendingOverlay.clear(connection)
      try? pool.close()
      connection.nestsTransactions = false
      connection.resetStatements()
    }
    try body(pool)
  }

  private func context(of version: PlannedVersion, _ schema: SchemaInfo, _ pool: Pool) throws -> ModelContext {
    let store = try Store(setup.configuration, migrating: pool, schema: schema)
    let parts = ModelContainer.Parts(
      schema: Schema(versionedSchema: version.type), migrationPlan: setup.plan, configurations: [setup.configuration])
    let context = ModelContext(ModelContainer(of: store, like: parts))
    context.autosaveEnabled = false
    return context
  }
}
