import Dispatch
package import Foundation
import RoostEngine
package import SyncMerge
import Synchronization

/// Zones of many users, in a folder: what a server does, without a network.
///
/// Its functions throw ``SyncZoneError`` for what a zone refuses, and ``SyncServiceError`` for all else. One process at
/// a time serves a folder: another would not be told of changes.
package final class SyncServer: Sendable {
  private let pool: Pool
  private let writer: WriteQueue
  private let reader: ReadQueue
  private let heads = ZoneHeads()
  package let limits: SyncLimits
  private let now: @Sendable () -> UInt64
  private let report: @Sendable (any Error) -> Void
  private let keptPlaces: Int64
  /// What keeps other servers from the folder; nil once it is closed.
  private let lock: Mutex<Connection?>

  /// Opens a server's data, or makes it.
  ///
  /// - Parameters:
  ///   - folder: where the data is; it is made if it is not there.
  ///   - limits: how much may be sent at a time.
  ///   - keptPlaces: how many pushes' places each zone keeps. What a device saw before these is taken for the zone's.
  ///   - mostTogether: how many pushes that wait are written in one transaction.
  ///   - mostLogSize: the bytes of the database's log from which on it is begun anew.
  ///   - now: milliseconds since 1970.
  ///   - report: told of what goes wrong at the server, as a full disk: no device can make anything of it.
  /// - Throws: ``SyncServerError``, or what the file system or database reports.
  package init(
    data folder: URL, limits: SyncLimits = SyncLimits(), keptPlaces: Int64 = 10_000, mostTogether: Int = 64,
    mostLogSize: Int = 64 << 20,
    now: @escaping @Sendable () -> UInt64 = { UInt64(max(0, Date().timeIntervalSince1970) * 1_000) },
    report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) throws {
    (self.limits, self.keptPlaces, self.now, self.report) = (limits, keptPlaces, now, report)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    lock = Mutex(try Self.lock(folder))
    let file = folder.appending(path: "zones.sqlite").path
    // The folder may have been there, for all to read. What SQLite makes beside a file has its permissions.
    if !FileManager.default.fileExists(atPath: file) {
      _ = FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    // An answer says that a push is kept: also after a power cut. An I/O error is an error, and no signal.
    let options = ConnectionOptions(
      location: .file(path: file), synchronous: .full, memoryMapSize: 0, cacheKilobytes: 32 << 10)
    pool = try Pool(options, maximumReaders: ReadQueue.threads)
    try pool.write { try ServerTables.create($0) }
    writer = WriteQueue(pool, mostLogSize: mostLogSize, mostTogether: mostTogether)
    reader = ReadQueue(pool)
  }

  /// Keeps other servers from a folder until the connection is closed, or the process ends: by a
  /// transaction of a file of its own.
  private static func lock(_ folder: URL) throws -> sending Connection {
    let file = folder.appending(path: "lock.sqlite").path
    do {
      let connection = try Connection(
        ConnectionOptions(location: .file(path: file), busyTimeout: .zero, makesWriteAheadLog: false))
      try connection.execute("BEGIN EXCLUSIVE")
      return connection
    } catch let error where error.primaryCode == DatabaseError.busy {
      throw SyncServerError.inUse(folder: folder.path)
    }
  }

  /// Begins a device's session, and makes the zone if the user has none of this name.
  package func begin(_ hello: SyncHello, for user: String) async throws -> SyncWelcome {
    try check(hello, user)
    let (id, welcome) = try await explained {
      try await self.writer.write(for: user) { [self] access -> (Int64, SyncWelcome) in
        let id =
          try SQLiteZone.find(hello.zone, of: user, access.connection)
          ?? SQLiteZone.make(hello.zone, of: user, access.connection)
        var zone = self.zone(id, access)
        let welcome = try zone.begin(hello, now: now())
        // All users' devices wait while these are read and written.
        let counts = try zone.storage.registry.counts
        if counts.entities > 2_000 || counts.names > 50_000 { throw SyncServiceError.tooLarge }
        return (id, welcome)
      }
    }
    // Rows may be others by now, of a constraint that is new.
    heads.tell(welcome.place.sequence, of: id)
    return welcome
  }

  /// Takes a push, once however often it comes. `bytes`: how many it came as; 0 where it did not come by a network.
  package func push(
    _ push: SyncPush, to name: String, for user: String, bytes: Int = 0
  ) async throws -> SyncPushAnswer {
    if push.edits.count > limits.edits { throw SyncServiceError.tooLarge }
    // A large row that is in it thousands of times would be written as often.
    if Set(push.edits.map(\.row)).count < push.edits.count {
      throw SyncServiceError.refused("The push has two edits of one row.")
    }
    let (id, answer) = try await explained {
      try await self.writer.write(for: user, bytes: bytes) { [self] access -> (Int64, SyncPushAnswer) in
        let id = try self.id(of: name, user, access.connection)
        var zone = self.zone(id, access)
        return (id, try zone.take(push, now: now()))
      }
    }
    heads.tell(answer.place.sequence, of: id)
    return answer
  }

  /// The rows that changed behind a sequence; see ``SyncZone/page(behind:seen:for:limit:)``.
  package func page(
    behind cursor: Int64, seen: SyncPlace, of name: String, for site: UInt64, limit: Int, user: String
  ) async throws -> SyncPage {
    try await explained {
      try await self.reader.read(for: user) { [self] access -> SyncPage in
        let zone = self.zone(try self.id(of: name, user, access.connection), access)
        return try zone.page(behind: cursor, seen: seen, for: site, limit: limit)
      }
    }
  }

  /// Which rows a zone has; see ``SyncZone/digest()``.
  package func digest(of name: String, for user: String) async throws -> SyncDigest {
    try await explained {
      try await self.reader.read(for: user) { [self] access -> SyncDigest in
        try zone(try self.id(of: name, user, access.connection), access).digest()
      }
    }
  }

  /// The sequences of the zone's last change, now and whenever there is another.
  package func heads(of name: String, for user: String) async throws -> AsyncThrowingStream<Int64, any Error> {
    let id = try await explained {
      try await self.reader.read(for: user) { [self] access -> Int64 in try self.id(of: name, user, access.connection) }
    }
    let stream = try heads.listen(to: id, for: user)
    // What is committed from here on is told; what was before is read.
    let head = try await explained {
      try await self.reader.read(for: user) { [self] access -> Int64 in try zone(id, access).storage.place.sequence }
    }
    heads.tell(head, of: id)
    return stream
  }

  /// Ends all streams of heads: who listens is to come again.
  package func endStreams() { heads.close() }

  /// Ends what is under way and closes the data. Every call throws from then on.
  package func close() throws {
    endStreams()
    // The folder is free for another server even if the last checkpoint fails.
    defer {
      lock.withLock { connection in
        connection?.close()
        connection = nil
      }
    }
    try pool.close()
  }

  // MARK: - Zones

  private func zone(_ id: Int64, _ access: SQLiteAccess) -> SyncZone<SQLiteZone> {
    SyncZone(SQLiteZone(access.connection, id, access.cache, keptPlaces: keptPlaces), limits: limits)
  }

  private func id(of name: String, _ user: String, _ connection: Connection) throws -> Int64 {
    // Its data may be gone: a device that begins makes it anew.
    guard let id = try SQLiteZone.find(name, of: user, connection) else { throw SyncZoneError.unknownPlace }
    return id
  }

  /// How many bytes the name of a zone, or of a user, may have.
  package static let nameSizes = 1...200

  private func check(_ hello: SyncHello, _ user: String) throws {
    guard Self.nameSizes.contains(hello.zone.utf8.count), Self.nameSizes.contains(user.utf8.count) else {
      throw SyncServiceError.refused("The zone's or the user's name is empty, or longer than 200 bytes.")
    }
    // What is between the server and its devices may take these for steps in a path.
    if [".", ".."].contains(hello.zone) { throw SyncServiceError.refused("A zone cannot be called \(hello.zone).") }
    // Numbers are kept for good, and all of them are read by each who begins. Constraints are looked at for each edit.
    let entities = hello.schema.entities
    let counts = entities.map { $0.fields.count + $0.classes.count }
    let constraints = entities.map { entity in entity.uniqueness.count + entity.uniqueness.reduce(0) { $0 + $1.count } }
    if !hello.schema.isSmall || counts.count > 500 || counts.contains(where: { $0 > 1_000 })
      || counts.reduce(0, +) > 10_000
      || constraints.contains(where: { $0 > 200 })
    {
      throw SyncServiceError.tooLarge
    }
    func areDifferent(_ names: [SyncName]) -> Bool { Set(names.map(\.name)).count == names.count }
    guard areDifferent(entities.map(\.name)),
      entities.allSatisfy({ areDifferent($0.fields.map(\.name)) && areDifferent($0.classes) })
    else { throw SyncServiceError.refused("Two classes, or two fields of a class, have one name.") }
  }

  /// Throws what a device can make something of.
  private func explained<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as SyncZoneError {
      throw error
    } catch let error as SyncServiceError {
      throw error
    } catch let error as DatabaseError where error == .poolIsClosed {
      throw SyncServiceError.unreachable("The server ends.")
    } catch let error as DatabaseError where error.primaryCode == DatabaseError.busy {
      throw SyncServiceError.busy(retryAfter: 1)
    } catch let error as DatabaseError {
      // The statement and the file's place are no device's concern.
      report(error)
      throw SyncServiceError.failed("The server's database failed with code \(error.code).")
    } catch {
      report(error)
      throw SyncServiceError.failed("\(error)")
    }
  }
}
