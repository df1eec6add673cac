import Foundation
package import RoostEngine
package import SyncMerge

/// A zone's rows in a file of SQLite, within a transaction of whoever uses it.
package struct SQLiteZone: SyncZoneStorage {
  let connection: Connection
  let id: Int64
  let cache: ZoneCache
  /// How many pushes' places are kept.
  private let keptPlaces: Int64
  /// The most bytes of a registry: all users' devices wait while one is read and written.
  private let mostRegistryBytes: Int

  /// - Parameters:
  ///   - connection: a connection in a transaction.
  ///   - id: the zone's.
  ///   - cache: what was read in the same transaction.
  ///   - keptPlaces: how many pushes' places are kept.
  ///   - mostRegistryBytes: the most bytes of what is known of programs' classes and fields.
  package init(
    _ connection: Connection, _ id: Int64, _ cache: ZoneCache, keptPlaces: Int64 = 10_000,
    mostRegistryBytes: Int = 32 << 20
  ) {
    (self.connection, self.id, self.cache, self.keptPlaces) = (connection, id, cache, keptPlaces)
    self.mostRegistryBytes = mostRegistryBytes
  }

  /// The zone of a user that has a name; nil for none.
  package static func find(_ name: String, of owner: String, _ connection: Connection) throws -> Int64? {
    let statement = try connection.statement("SELECT id FROM zone WHERE owner = ? AND name = ?")
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    statement.bind(name, at: 2)
    return try statement.step() ? statement.int64(0) : nil
  }

  /// Makes a zone of a user.
  package static func make(_ name: String, of owner: String, _ connection: Connection) throws -> Int64 {
    let statement = try connection.statement("INSERT INTO zone (owner, name) VALUES (?, ?)")
    statement.bind(owner, at: 1)
    statement.bind(name, at: 2)
    try statement.run()
    let id = connection.lastInsertRowID
    let member = try connection.statement("INSERT INTO member (zone, user, role) VALUES (?, ?, 'owner')")
    member.bind(id, at: 1)
    member.bind(owner, at: 2)
    try member.run()
    return id
  }

  // MARK: - Places

  package var place: SyncPlace {
    get throws {
      let statement = try bound("SELECT head, mark FROM zone WHERE id = ?")
      defer { statement.reset() }
      guard try statement.step() else { throw SyncServerError.damaged("zone \(id) is gone") }
      return SyncPlace(sequence: statement.int64(0), mark: UInt64(bitPattern: statement.int64(1)))
    }
  }

  package func mark(at sequence: Int64) throws -> UInt64? {
    let statement = try bound("SELECT mark FROM place WHERE zone = ? AND sequence = ?")
    defer { statement.reset() }
    statement.bind(sequence, at: 2)
    return try statement.step() ? UInt64(bitPattern: statement.int64(0)) : nil
  }

  package var oldestPlace: Int64 {
    get throws {
      let statement = try bound("SELECT sequence, turn FROM place WHERE zone = ? ORDER BY sequence LIMIT 1")
      defer { statement.reset() }
      // Where the first turn's is there, none was forgotten.
      return try statement.step() && statement.int64(1) > 1 ? statement.int64(0) : 0
    }
  }

  package func setPlace(_ place: SyncPlace) throws {
    let zone = try bound("UPDATE zone SET head = ?2, mark = ?3, turn = turn + 1 WHERE id = ?1 RETURNING turn")
    zone.bind(place.sequence, at: 2)
    zone.bind(Int64(bitPattern: place.mark), at: 3)
    guard try zone.step() else { throw SyncServerError.damaged("zone \(id) is gone") }
    let turn = zone.int64(0)
    zone.reset()
    let statement = try bound("INSERT INTO place (zone, sequence, mark, turn) VALUES (?, ?, ?, ?)")
    statement.bind(place.sequence, at: 2)
    statement.bind(Int64(bitPattern: place.mark), at: 3)
    statement.bind(turn, at: 4)
    try statement.run()
    try forgetPlaces(upTo: turn - keptPlaces)
  }

  /// Places are in the order of their turns: those to forget are the first ones.
  private func forgetPlaces(upTo turn: Int64) throws {
    if turn <= 0 { return }
    let statement = try bound(
      """
      DELETE FROM place WHERE zone = ?1 AND sequence < coalesce( \
      (SELECT sequence FROM place WHERE zone = ?1 AND turn > ?2 ORDER BY sequence LIMIT 1), 0)
      """)
    statement.bind(turn, at: 2)
    try statement.run()
  }

  // MARK: - Pushes and numbers

  package func lastPush(of site: UInt64) throws -> SyncTakenPush? {
    let statement = try bound("SELECT body FROM push WHERE zone = ? AND site = ?")
    defer { statement.reset() }
    statement.bind(Int64(bitPattern: site), at: 2)
    return try statement.step() ? decode(SyncTakenPush.self, statement, 0) : nil
  }

  package func lastPushID(of site: UInt64) throws -> SyncPushID {
    let statement = try bound("SELECT number, identity FROM push WHERE zone = ? AND site = ?")
    defer { statement.reset() }
    statement.bind(Int64(bitPattern: site), at: 2)
    guard try statement.step() else { return .none }
    return SyncPushID(number: statement.int64(0), identity: UInt64(bitPattern: statement.int64(1)))
  }

  package func setLastPush(of site: UInt64, to push: SyncTakenPush) throws {
    let statement = try bound("INSERT OR REPLACE INTO push (zone, site, number, identity, body) VALUES (?, ?, ?, ?, ?)")
    statement.bind(Int64(bitPattern: site), at: 2)
    statement.bind(push.number, at: 3)
    statement.bind(Int64(bitPattern: push.identity), at: 4)
    push.encoded.withUnsafeBytes { statement.bind($0, at: 5) }
    try statement.run()
  }

  package var registry: SyncRegistry {
    get throws {
      let statement = try bound("SELECT registry FROM zone WHERE id = ?")
      defer { statement.reset() }
      guard try statement.step(), !statement.isNull(0) else { return SyncRegistry() }
      return try cache.registry(of: id, statement.data(0))
    }
  }

  package func setRegistry(_ registry: SyncRegistry) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(registry)
    if bytes.count > mostRegistryBytes { throw SyncServiceError.tooLarge }
    let statement = try bound("UPDATE zone SET registry = ?2 WHERE id = ?1")
    statement.bind(bytes, at: 2)
    try statement.run()
  }

  // MARK: - Statements

  /// A statement whose first parameter is the zone.
  func bound(_ sql: String) throws -> Statement {
    let statement = try connection.statement(sql)
    statement.bind(id, at: 1)
    return statement
  }

  func decode<Value: SyncCodable>(_ type: Value.Type, _ statement: Statement, _ column: Int32) throws -> Value {
    do throws(SyncCodingError) {
      return try statement.withBlob(column) { bytes throws(SyncCodingError) in try Value(encoded: bytes) }
    } catch {
      throw SyncServerError.damaged("a \(type) of zone \(id) cannot be read: \(error)")
    }
  }
}
