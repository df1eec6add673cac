import Foundation
package import RoostEngine
import RoostSQL

// A row never names a file that is not there: a file is on the disk before the row that names it is committed, and is
// removed after the commit that leaves nobody who names it. What a crash leaves in between is a file without a row, and
// that goes when the store is next opened.
extension Store {
  static func files(
    _ configuration: ModelConfiguration, _ schema: SchemaInfo, _ pool: Pool
  ) throws -> ExternalFiles? {
    if schema.externalEntities.isEmpty || configuration.isStoredInMemoryOnly { return nil }
    return ExternalFiles(
      of: configuration.url, isDurable: configuration.storeOptions.durability != .none,
      cipher: try pool.read { try FileCipher($0) })
  }

  /// A value's file; nil when there is no such file.
  func readFile(_ name: ExternalName) throws(ExternalFileError) -> Data? {
    guard let files else { return nil }
    do throws(ExternalFileError) {
      return try files.read(name)
    } catch {
      guard error.underlying is FileCipher.Unreadable, (try? pool.read { try files.renewCipher($0) }) == true else {
        throw error
      }
      return try files.read(name)
    }
  }

  /// Runs a transaction that may write files and make others useless.
  package func transaction<Result>(
    _ connection: Connection, with writes: ExternalWrites?, _ body: () throws -> Result
  ) throws -> Result {
    guard let writes else { return try connection.transaction(.immediate, body) }
    do {
      let result = try fullySynchronized(connection, if: writes.mayRelease) {
        try connection.transaction(.immediate) {
          try writes.files.renewCipher(connection)
          let result = try body()
          writes.released = try unreferenced(writes.released, connection)
          if !writes.written.isEmpty { try writes.files.synchronizeFolder() }
          try writes.files.reach(.written)
          return result
        }
      }
      try? writes.files.reach(.committed)
      // The transaction around this one may still be rolled back; the next opening finds what is useless then.
      if pool.isShared { return result }
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
  /// A power cut must not take a commit back whose useless files are gone already, or which others were told of.
  package func fullySynchronized<Result>(
    _ connection: Connection, if isNeeded: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    guard isNeeded, !pool.isShared, configuration.storeOptions.durability == .normal else { return try body() }
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
      || changes.deleted.ordinals.contains { !schema.entities[$0].externals.isEmpty }
      || changes.updated.states.contains { address in
        let (changed, externals) = (address.state.changed, schema.entities[address.state.ordinal].externals)
        // All that was read is written then.
        if changes.policy == .ownObjectWins { return !externals.isEmpty }
        return externals.contains { changed.contains($0.index) }
      }
    if inserted.isEmpty && !mayRelease { return nil }
    return ExternalWrites(
      files, threshold: configuration.storeOptions.externalStorageThreshold, mayRelease: mayRelease)
  }
}

extension SaveWriter {
  /// Notes the files of rows that are about to be deleted.
  func releaseFiles(of models: ModelList) throws {
    if writes == nil { return }
    for ordinal in models.ordinals {
      try releaseFiles(of: store.schema.entities[ordinal], keys: models.keys(of: ordinal))
    }
  }

  /// Notes the files of rows that are about to be deleted, or to get other values.
  func releaseFiles(of entity: EntityInfo, keys: [Int64], _ changed: PropertySet? = nil) throws {
    guard let writes, !entity.externals.isEmpty else { return }
    for property in entity.externals where changed?.contains(property.index) ?? true {
      guard let column = ExternalColumn(entity, property) else { continue }
      try writes.release(column, keys: keys, connection)
    }
  }
}

extension ExternalWrites {
  /// Notes the files of all rows of a class, which are about to be deleted.
  package func releaseAll(of entity: EntityInfo, _ connection: Connection) throws {
    for column in entity.externals.compactMap({ ExternalColumn(entity, $0) }) {
      try release(column, keys: nil, connection)
    }
  }

  /// `keys`: those of the rows; nil for all.
  fileprivate func release(_ column: ExternalColumn, keys: [Int64]?, _ connection: Connection) throws {
    let isMeant = keys == nil ? "" : "\(primaryKeyColumn) IN (SELECT value FROM json_each(?)) AND "
    let statement = try connection.statement(
      "SELECT \(column.name) FROM \(column.table) WHERE \(isMeant)\(column.isReference)")
    defer { statement.reset() }
    if let keys { statement.bind(keys.jsonArray, at: 1) }
    while try statement.step() {
      if let name = ExternalReference.name(statement.sqlValue(0), in: column.type) { released.insert(name) }
    }
  }
}
