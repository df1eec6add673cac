import Foundation
public import RoostCore
import RoostEngine
import RoostSQL

extension ModelContext {
  /// The models that match a descriptor, as the store has them now with this context's changes included.
  ///
  /// - Returns: one instance a row, the same instance as long as it is alive; empty when nothing matches.
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` and its like before any SQL runs,
  ///   ``SwiftDataError/corruptValue`` when a row holds no value of a property's type, or what the database reports,
  ///   such as ``SwiftDataError/storeDamaged``.
  // In the program, where the compiler knows the model's type: asked for by a generic function, the types that a fetch
  // needs take as long as finding a row.
  @inlinable
  public func fetch<T>(_ descriptor: FetchDescriptor<T>) throws -> [T] where T: PersistentModel {
    guard let shape = plainShape(of: descriptor), let query = try known(shape) ?? learn(shape, descriptor) else {
      return try fetchTranslated(descriptor)
    }
    var models: [T] = []
    try read(T.self, query) { models = try T._$models(&$0) }
    return models
  }

  @usableFromInline
  func fetchTranslated<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let (entity, query) = try query(descriptor)
    return try fetch(descriptor, entity, query)
  }

  func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ entity: EntityInfo, _ query: QueryBuilder
  ) throws -> [T] {
    if core.parent != nil {
      let models = try fetchThroughParent(descriptor, entity, query)
      try prefetch(descriptor.relationshipKeyPathsForPrefetching, entity, models)
      return models
    }
    let properties = try selectedProperties(descriptor, entity)
    let columns = properties.map { selected in
      entity.columns { property in selected.contains { $0 === property.details } }
    }
    let text = SQLitePrinter.print(query.select(columns ?? store.statements(entity).columns))
    let models = try read(text, for: query, pending: descriptor.includePendingChanges) { statement in
      var rows = _ModelRows(core, entity, statement, columns: columns)
      return try T._$models(&rows)
    }
    try prefetch(descriptor.relationshipKeyPathsForPrefetching, entity, models)
    return models
  }

  /// The number of models that match, counted in the database.
  public func fetchCount<T>(_ descriptor: FetchDescriptor<T>) throws -> Int where T: PersistentModel {
    let (_, query) = try query(descriptor)
    return try read(SQLitePrinter.print(query.selectCount()), for: query, pending: descriptor.includePendingChanges) {
      try $0.step() ? Int($0.int64(0)) : 0
    }
  }

  /// The identifiers of the models that match; no model is made.
  public func fetchIdentifiers<T>(_ descriptor: FetchDescriptor<T>) throws -> [PersistentIdentifier]
  where T: PersistentModel {
    let (entity, query) = try query(descriptor)
    return try fetchIdentifiers(descriptor, entity, query)
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ entity: EntityInfo, _ query: QueryBuilder
  ) throws -> [PersistentIdentifier] {
    Array(try fetchKeys(descriptor, entity, query))
  }

  func fetchKeys<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ entity: EntityInfo, _ query: QueryBuilder
  ) throws -> RowKeys {
    let text = SQLitePrinter.print(query.select(entity.columns { _ in false }))
    return try read(text, for: query, pending: descriptor.includePendingChanges) { try rowKeys(entity, $0) }
  }

  /// The identifiers of a query's rows.
  func rowKeys(
    _ entity: EntityInfo, _ statement: Statement, keyColumn: Int32 = 0, typeColumn: Int32 = 1
  ) throws -> RowKeys {
    var keys = RowKeys(entity, in: core)
    while try statement.step() {
      let key = statement.int64(keyColumn)
      if key <= 0 { try core.check(key, of: entity) }
      if !keys.isMixed {
        keys.append(key)
      } else if !keys.append(key, className: statement.string(typeColumn)) {
        throw store.unknownType(entity, statement.string(typeColumn), key: key)
      }
    }
    return keys
  }

  func query<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, sectionBy section: PartialKeyPath<T>? = nil
  ) throws -> (EntityInfo, QueryBuilder) {
    guard let entity = store.schema.entity(for: T.self) else { throw SwiftDataError.modelNotInSchema(T.self) }
    var query = query(entity, pending: descriptor.includePendingChanges)
    if let predicate = descriptor.predicate { try query.filter(predicate) }
    try query.sort(descriptor.sortBy, sectionBy: section)
    query.limit = descriptor.fetchLimit
    query.offset = descriptor.fetchOffset
    if let identifier = descriptor.fetchAfter {
      var sorted = self.query(entity, pending: descriptor.includePendingChanges)
      try sorted.sort(descriptor.sortBy, sectionBy: section)
      try begin(&query, after: identifier, descriptor, sorted: sorted)
    }
    return (entity, query)
  }

  /// A query for all rows of an entity as this context has them now.
  func query(_ entity: EntityInfo, pending includesPending: Bool = true) -> QueryBuilder {
    let (core, schema) = (core, store.schema)
    noticeOtherSaves()
    return QueryBuilder(
      root: entity, store: store.identifier, tellsValues: store.configuration.storeOptions.reportsArguments,
      isPending: { includesPending && core.hasPending(in: [$0]) },
      entity: { schema.entity(for: $0) })
  }

  /// Runs a query on a connection that sees the pending changes, if they concern it.
  func read<Result>(
    _ text: SQLText, for query: QueryBuilder, pending includesPending: Bool, _ body: (Statement) throws -> Result
  ) throws -> Result {
    try SwiftDataError.translating(SwiftDataError.querying) {
      try read(text, from: query.usesTables, pending: includesPending, body)
    }
  }

  /// As `read(_:for:pending:_:)`, of any text that reads those tables.
  func read<Result>(
    _ text: SQLText, from tables: Set<String>, pending includesPending: Bool, _ body: (Statement) throws -> Result
  ) throws -> Result {
    try read(from: tables, pending: includesPending) { connection in
      let statement = try connection.statement(text.sql)
      defer { statement.reset() }
      statement.bind(text.arguments)
      return try body(statement)
    }
  }

  /// Gives `body` a connection for statements that read those tables.
  func read<Result>(
    from tables: Set<String>, pending includesPending: Bool, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let store = store
    var seesOthers = false
    func run(_ connection: Connection) throws -> Result {
      defer { seesOthers = store.seesOutsideWrites(connection) }
      return try body(connection)
    }
    store.ensureIndexes(of: tables)
    func runAmongPending(_ overlay: PendingOverlay) throws -> Result {
      let outer = core.shownOverlay
      core.shownOverlay = overlay
      defer { core.shownOverlay = outer }
      return try overlay.read(core.layers, run)
    }
    let overlay = includesPending ? try overlay(for: tables) : nil
    let result: Result
    do {
      // Once no connection is held: who is told may wait for one, or have somebody wait for them who does.
      defer { if seesOthers { store.announceAny() } }
      result = try core.editing { try overlay.map(runAmongPending) ?? store.pool.read(run) }
    }
    // What this has seen is newer than relationships in memory.
    noticeOtherSaves()
    return result
  }

  private func selectedProperties<T>(
    _ descriptor: FetchDescriptor<T>, _ entity: EntityInfo
  ) throws -> [PropertyDetails]? {
    guard !descriptor.propertiesToFetch.isEmpty else { return nil }
    return try descriptor.propertiesToFetch.map { keyPath in
      guard let property = entity.property(for: keyPath) else {
        throw SwiftDataError.unsupportedKeyPath(
          "\(keyPath) in propertiesToFetch is no stored property of \(entity.name)")
      }
      return property.details
    }
  }

  /// Touches a relationship of the first model that lacks it; the siblings' are read with it.
  private func prefetch<T: PersistentModel>(
    _ keyPaths: [PartialKeyPath<T>], _ entity: EntityInfo, _ models: [T]
  ) throws {
    for keyPath in keyPaths {
      guard entity.path(for: keyPath)?.last?.relationship != nil else {
        throw SwiftDataError.unsupportedKeyPath("\(keyPath) is no relationship of \(entity.name)")
      }
      for model in models { _ = model[keyPath: keyPath] }
    }
  }
}
