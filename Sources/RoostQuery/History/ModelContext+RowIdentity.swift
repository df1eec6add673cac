public import RoostCore
import RoostEngine
import RoostSQL

extension ModelContext {
  /// Which row a model is, also after its class was renamed.
  ///
  /// - Returns: nil for a model that was never saved.
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` where no history was ever recorded, which numbers the
  ///   models; or what the database reports.
  public func rowIdentity(of model: some PersistentModel) throws -> RowIdentity? {
    let identifier = model.persistentModelID
    guard let entity = store.schema.entity(of: identifier), let key = key(of: identifier, entity), key > 0 else {
      return nil
    }
    return try store.readingNumbers { _, fields in
      fields.number(of: entity.root).map { RowIdentity(origin: store.identifier, entity: $0, key: key) }
    }
  }

  /// The model of a row, whatever its class is called by now.
  ///
  /// - Returns: nil where the store has no such row: it was deleted, or is of another store or of a model
  ///   that the program does not have.
  /// - Throws: as ``rowIdentity(of:)``; ``SwiftDataError/corruptValue`` where a row is of
  ///   no class that the program knows.
  public func model(forRow identity: RowIdentity) throws -> (any PersistentModel)? {
    guard identity.origin == store.identifier, identity.key > 0 else { return nil }
    let entity = try store.readingNumbers { connection, fields -> EntityInfo? in
      let root = store.schema.entities.first { $0.superentity == nil && fields.number(of: $0) == identity.entity }
      return try root.flatMap { try store.entity(ofRow: identity.key, $0, connection) }
    }
    return entity.map { core.model($0.type, ordinal: $0.ordinal, key: identity.key) }
  }
}

extension Store {
  /// Gives `body` the numbers of models.
  fileprivate func readingNumbers<Result>(_ body: (Connection, HistoryFields) throws -> Result) throws -> Result {
    try SwiftDataError.translating {
      try pool.read { connection in try body(connection, historyNumbers(connection).fields) }
    }
  }

  /// What a row is one of; nil where there is none.
  fileprivate func entity(ofRow key: Int64, _ root: EntityInfo, _ connection: Connection) throws -> EntityInfo? {
    let column = root.isMixed ? entityNameColumn : primaryKeyColumn
    let select = SQLSelect(
      [SQLResultColumn(.column(column))], from: .table(root.table),
      where: .binary(.equal, .column(primaryKeyColumn), .parameter))
    let statement = try connection.statement(SQLitePrinter.template(select))
    defer { statement.reset() }
    statement.bind(key, at: 1)
    guard try statement.step() else { return nil }
    guard root.isMixed else { return root }
    let name = statement.string(0)
    if let entity = root.selfAndDescendants.first(where: { $0.name == name }) { return entity }
    throw unknownType(root, name, key: key)
  }
}
