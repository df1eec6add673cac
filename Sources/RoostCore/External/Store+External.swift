import Foundation
import Logging
import RoostEngine
import RoostSQL

// A row never names a file that is not there: a file is on the disk before the row that names it is committed, and is
// removed after the commit that leaves nobody who names it. What a crash leaves in between is a file without a row, and
// that goes when the store is next opened.
extension Store {
  static func files(_ configuration: ModelConfiguration, _ schema: SchemaInfo) -> ExternalFiles? {
    if schema.externalEntities.isEmpty || configuration.isStoredInMemoryOnly { return nil }
    return ExternalFiles(of: configuration.url, isDurable: configuration.storeOptions.durability != .none)
  }

  /// Runs a transaction that may write files and make others useless.
  func transaction<Result>(
    _ connection: Connection, with writes: ExternalWrites?, _ body: () throws -> Result
  ) throws -> Result {
    guard let writes else { return try connection.transaction(.immediate, body) }
    do {
      let result = try fullySynchronized(connection, if: writes.mayRelease) {
        try connection.transaction(.immediate) {
          let result = try body()
          writes.released = try unreferenced(writes.released, connection)
          if !writes.written.isEmpty { try writes.files.synchronizeFolder() }
          try writes.files.reach(.written)
          return result
        }
      }
      try? writes.files.reach(.committed)
      for name in writes.released { writes.files.remove(name) }
      return result
    } catch {
      // After an error of the disk nobody knows whether the commit is there after a crash. The next opening sees.
      if (error as? DatabaseError)?.primaryCode != DatabaseError.ioError { writes.discard() }
      throw error
    }
  }

  /// Has what `body` commits on the disk, and all that was committed before.
  ///
  /// A power cut must not take a commit back whose useless files are gone already.
  private func fullySynchronized<Result>(
    _ connection: Connection, if isNeeded: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    guard isNeeded, configuration.storeOptions.durability == .normal else { return try body() }
    try connection.execute("PRAGMA synchronous=FULL")
    defer { try? connection.execute("PRAGMA synchronous=NORMAL") }
    return try body()
  }

  /// The files of a save; nil when it touches no values that may be in any.
  func writes(of changes: SaveChanges) -> ExternalWrites? {
    guard let files else { return nil }
    let inserted = Set(changes.rows.map(\.ordinal)).filter { !schema.entities[$0].externals.isEmpty }
    let mayRelease =
      inserted.contains { schema.isUnique[$0] }
      || changes.deleted.contains { !schema.entities[$0._$state.ordinal].externals.isEmpty }
      || changes.updated.contains { model in
        let changed = model._$state.changed
        return schema.entities[model._$state.ordinal].externals.contains { changed.contains($0.index) }
      }
    if inserted.isEmpty && !mayRelease { return nil }
    return ExternalWrites(
      files, threshold: configuration.storeOptions.externalStorageThreshold, mayRelease: mayRelease)
  }

  /// Removes the files that no row names: those of saves that a crash cut off, and of rows that others deleted.
  ///
  /// A save writes its files within its transaction. Whoever has the write lock therefore knows that each file without a
  /// row is nobody's, in this process or another, and it stays so: names are never used again.
  func sweepFiles() {
    guard let files, configuration.allowsSave else { return }
    do {
      // Mostly there is none, and nobody has to wait for the lock.
      let present = try files.names()
      if present.isEmpty { return }
      let suspects = try pool.read { try present.subtracting(referenced($0)) }
      if suspects.isEmpty { return }
      try pool.write { connection in
        let orphans = try fullySynchronized(connection) {
          try connection.transaction(.immediate) {
            // Something must be written for the commit to reach the disk.
            try connection.execute("UPDATE _roost_meta SET value = value WHERE key = 'format'")
            return try unreferenced(suspects, connection)
          }
        }
        for name in orphans { files.remove(name) }
      }
    } catch {
      logger.warning("Looking for files without rows failed", metadata: ["error": "\(error)"])
    }
  }

  // MARK: - What rows name

  /// The names in all rows. Read from the partial index that each such column has.
  func referenced(_ connection: Connection) throws -> Set<ExternalName> {
    var names: Set<ExternalName> = []
    for column in externalColumns {
      let statement = try connection.statement("SELECT \(column.name) FROM \(column.table) WHERE \(column.isReference)")
      defer { statement.reset() }
      while try statement.step() {
        if let name = ExternalReference.name(statement.sqlValue(0), in: column.type) { names.insert(name) }
      }
    }
    return names
  }

  /// Those of the names that no row has. Another program may have copied a row, and both share the file.
  private func unreferenced(_ names: Set<ExternalName>, _ connection: Connection) throws -> Set<ExternalName> {
    var free = names
    for column in externalColumns where !free.isEmpty {
      let statement = try connection.statement(
        "SELECT 1 FROM \(column.table) WHERE \(column.isReference) AND \(column.name) = ? LIMIT 1")
      for name in free {
        statement.bind(ExternalReference.value(name, in: column.type), at: 1)
        if try statement.step() { free.remove(name) }
        statement.reset()
      }
    }
    return free
  }

  private var externalColumns: [ExternalColumn] {
    schema.externalEntities.flatMap { entity in entity.externals.compactMap { ExternalColumn(entity, $0) } }
  }
}

/// A column that may name files, as SQL.
struct ExternalColumn {
  let table: String
  let name: String
  let type: _ColumnType

  init?(_ entity: EntityInfo, _ property: PropertyInfo) {
    guard case .attribute(let codec) = property.kind, let column = property.column else { return nil }
    (table, name, type) = (quotedIdentifier(entity.table), quotedIdentifier(column), codec.columnType)
  }

  /// Written as in the index, with a literal, or SQLite would not use it.
  var isReference: String { "typeof(\(name)) = '\(ExternalReference.storageClass(in: type))'" }
}

extension SaveWriter {
  func releaseFilesOfDeleted() throws {
    if writes == nil { return }
    for model in changes.deleted {
      try releaseFiles(of: store.schema.entities[model._$state.ordinal], key: model._$state.key)
    }
  }

  /// Notes the files of a row that is about to be deleted, or to get other values.
  func releaseFiles(of entity: EntityInfo, key: Int64, _ changed: PropertySet? = nil) throws {
    guard let writes, !entity.externals.isEmpty else { return }
    for property in entity.externals where changed?.contains(property.index) ?? true {
      guard let column = ExternalColumn(entity, property) else { continue }
      let statement = try connection.statement(
        "SELECT \(column.name) FROM \(column.table) WHERE \(primaryKeyColumn) = ? AND \(column.isReference)")
      defer { statement.reset() }
      statement.bind(key, at: 1)
      guard try statement.step() else { continue }
      if let name = ExternalReference.name(statement.sqlValue(0), in: column.type) { writes.released.insert(name) }
    }
  }
}
