import Foundation
import RoostEngine
import SyncMerge
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

@Suite final class SyncServerTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "roost-sync-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func open(limits: SyncLimits = SyncLimits()) throws -> SyncServer {
    try SyncServer(data: folder, limits: limits, now: { 1_000 })
  }

  private func pool() throws -> Pool {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "zones.sqlite").path
    return try Pool(ConnectionOptions(location: .file(path: file)), maximumReaders: ReadQueue.threads)
  }

  private static func hello(_ zone: String = "notes", site: UInt64 = 1, lastPush: Int64 = 0) -> SyncHello {
    SyncHello(
      zone: zone, site: site, lastPush: lastPush,
      schema: SyncSchema(entities: [SyncEntity(SyncName("Note"), fields: [SyncFieldDefinition(SyncName("text"))])]))
  }

  private static func push(_ number: Int64, site: UInt64 = 1, keys: Range<Int64> = 0..<3) -> SyncPush {
    let stamp = SyncStamp(time: UInt64(number), site: site)
    let edits = keys.map { key in
      SyncEdit(
        row: SyncRowID(entity: 1, site: site, key: key), kind: .insert, stamp: stamp,
        fields: [1: SyncFieldEdit(value: .text("\(number)"), stamp: stamp)])
    }
    return SyncPush(site: site, number: number, edits: edits)
  }

  @Test func `what was answered is there when the server opens again`() async throws {
    let first = try open()
    let begun = try await first.begin(Self.hello(), for: "anna")
    let answer = try await first.push(Self.push(1), to: "notes", for: "anna")
    try first.close()

    let second = try open()
    let again = try await second.begin(Self.hello(lastPush: 1), for: "anna")
    #expect(again.numbers == begun.numbers && again.lastPush == 1 && again.place == answer.place)
    #expect(try await second.push(Self.push(1), to: "notes", for: "anna") == answer)
    let page = try await second.service(for: "anna").page(behind: 0, seen: .start, of: "notes", for: 2, limit: 9)
    #expect(page.records == answer.records && page.isLast)
    try second.close()
  }

  @Test func `only who runs the server reads its data, also in a folder that was there for all to read`() async throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let server = try open()
    _ = try await server.begin(Self.hello(), for: "anna")
    for name in ["zones.sqlite", "zones.sqlite-wal", "zones.sqlite-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
    }
    try server.close()
  }

  @Test func `a folder has one server at a time`() throws {
    let first = try open()
    #expect(throws: SyncServerError.inUse(folder: folder.path)) { try open() }
    try first.close()
    try open().close()
  }

  @Test func `zones of one name are each user's own`() async throws {
    let server = try open()
    let (anna, ben) = (server.service(for: "anna"), server.service(for: "ben"))
    _ = try await anna.begin(Self.hello())
    _ = try await ben.begin(Self.hello())
    _ = try await anna.push(Self.push(1), to: "notes")
    let page = try await ben.page(behind: 0, seen: .start, of: "notes", for: 2, limit: 9)
    #expect(page.records.isEmpty && page.place == .start)
    try server.close()
  }

  @Test func `a zone that nobody began is unknown`() async throws {
    let server = try open()
    _ = try await server.begin(Self.hello(), for: "anna")
    let ben = server.service(for: "ben")
    await #expect(throws: SyncZoneError.unknownPlace) { try await ben.push(Self.push(1), to: "notes") }
    await #expect(throws: SyncZoneError.unknownPlace) { _ = try await ben.heads(of: "notes") }
    await #expect(throws: SyncZoneError.unknownPlace) {
      try await ben.page(behind: 0, seen: .start, of: "notes", for: 2, limit: 9)
    }
    try server.close()
  }

  @Test func `who listens hears that rows became one as a program with a constraint began`() async throws {
    let server = try open()
    let anna = server.service(for: "anna")
    _ = try await anna.begin(Self.hello())
    _ = try await anna.push(Self.push(1), to: "notes")
    var heads = try await anna.heads(of: "notes").makeAsyncIterator()
    #expect(try await heads.next() == 3)
    var hello = Self.hello(site: 2)
    hello.schema.version = [2]
    hello.schema.entities[0].uniqueness = [["text"]]
    let welcome = try await anna.begin(hello)
    #expect(try await heads.next() == welcome.place.sequence && welcome.place.sequence > 3)
    let page = try await anna.page(behind: 0, seen: .start, of: "notes", for: 2, limit: 9)
    #expect(page.records.filter { $0.deletion == nil }.count == 1 && page.place == welcome.place)
    try server.close()
  }

  @Test func `who listens hears of the zone's last change, and of each one after`() async throws {
    let server = try open()
    let (anna, ben) = (server.service(for: "anna"), server.service(for: "ben"))
    for service in [anna, ben] { _ = try await service.begin(Self.hello()) }
    _ = try await anna.push(Self.push(1), to: "notes")
    var heads = try await anna.heads(of: "notes").makeAsyncIterator()
    #expect(try await heads.next() == 3)
    _ = try await ben.push(Self.push(1), to: "notes")
    _ = try await anna.push(Self.push(2, keys: 3..<4), to: "notes")
    #expect(try await heads.next() == 4)
    server.endStreams()
    #expect(try await heads.next() == nil)
    try server.close()
  }

  @Test func `a user listens with so many devices at a time, and others beside`() async throws {
    let heads = ZoneHeads(mostOfUser: 2)
    let (first, others) = (try heads.listen(to: 1, for: "anna"), try heads.listen(to: 1, for: "ben"))
    let (second, third) = (try heads.listen(to: 2, for: "anna"), try heads.listen(to: 1, for: "anna"))
    for zone in Int64(1)...2 { heads.tell(7, of: zone) }
    for try await _ in first { Issue.record("the oldest is told something") }
    for stream in [others, second, third] {
      var iterator = stream.makeAsyncIterator()
      #expect(try await iterator.next() == 7)
    }
  }

  @Test func `beyond so many in all nobody listens, until one has gone`() throws {
    let heads = ZoneHeads(mostOfUser: 2, mostOfAll: 3)
    var kept = [try heads.listen(to: 1, for: "anna"), try heads.listen(to: 1, for: "ben")]
    kept += [try heads.listen(to: 1, for: "ben")]
    #expect(throws: SyncServiceError.busy(retryAfter: 30)) { try heads.listen(to: 1, for: "carl") }
    // In place of the oldest.
    kept += [try heads.listen(to: 1, for: "ben")]
    kept.removeFirst()
    kept += [try heads.listen(to: 1, for: "carl")]
  }

  @Test func `what a program says of its models has bounds, and a push has each row once`() async throws {
    let server = try open()
    var hello = Self.hello()
    hello.schema.entities[0].uniqueness = Array(repeating: ["text"], count: 101)
    let many = hello
    await #expect(throws: SyncServiceError.tooLarge) { try await server.begin(many, for: "anna") }
    // Each class and field would have it.
    (hello.schema.entities[0].uniqueness, hello.schema.version) = ([], Array(repeating: 0, count: 17))
    let long = hello
    await #expect(throws: SyncServiceError.tooLarge) { try await server.begin(long, for: "anna") }
    hello.schema.version = []
    hello.schema.entities[0].fields[0].name.originalName = String(repeating: "x", count: 1_001)
    let large = hello
    await #expect(throws: SyncServiceError.tooLarge) { try await server.begin(large, for: "anna") }
    _ = try await server.begin(Self.hello(), for: "anna")
    var push = Self.push(1)
    push.edits += push.edits
    let twice = push
    await #expect(throws: SyncServiceError.refused("The push has two edits of one row.")) {
      try await server.push(twice, to: "notes", for: "anna")
    }
    try server.close()
  }

  @Test func `what the database reports comes to the server's log`() async throws {
    let (told, tell) = AsyncStream<String>.makeStream()
    let server = try SyncServer(data: folder, now: { 1_000 }, report: { tell.yield("\($0)") })
    _ = try await server.begin(Self.hello(), for: "anna")
    let other = try Connection(ConnectionOptions(location: .file(path: folder.appending(path: "zones.sqlite").path)))
    try other.execute("DROP TABLE push")
    other.close()
    await #expect(throws: SyncServiceError.failed("The server's database failed with code 1.")) {
      try await server.push(Self.push(1), to: "notes", for: "anna")
    }
    tell.finish()
    var reports: [String] = []
    for await report in told { reports.append(report) }
    #expect(reports.count == 1 && reports[0].contains("push"))
    try server.close()
  }

  @Test func `a push that is refused changes nothing, and those beside it are taken`() async throws {
    let server = try open()
    for site in UInt64(1)...20 { _ = try await server.begin(Self.hello(site: site), for: "anna") }
    let results = await withTaskGroup(of: (UInt64, Bool).self) { group in
      for site in UInt64(1)...20 {
        // Those of even sites lack one before them.
        let push = Self.push(site % 2 == 0 ? 2 : 1, site: site)
        group.addTask { (site, (try? await server.push(push, to: "notes", for: "anna")) != nil) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect((UInt64(1)...20).allSatisfy { results[$0] == ($0 % 2 == 1) })
    let page = try await server.service(for: "anna").page(behind: 0, seen: .start, of: "notes", for: 99, limit: 99)
    #expect(page.records.count == 30 && page.records.map(\.sequence) == Array(1...30))
    #expect(page.records.allSatisfy { $0.row.site % 2 == 1 })
    try server.close()
  }

  @Test func `more than a push may have is refused`() async throws {
    let server = try open(limits: SyncLimits(edits: 2))
    let welcome = try await server.begin(Self.hello(), for: "anna")
    #expect(welcome.limits.edits == 2)
    await #expect(throws: SyncServiceError.tooLarge) { try await server.push(Self.push(1), to: "notes", for: "anna") }
    try server.close()
    await #expect(throws: SyncServiceError.unreachable("The server ends.")) {
      try await server.begin(Self.hello(), for: "anna")
    }
  }

  @Test func `a list is as long as a push has room for`() async throws {
    let server = try open()
    _ = try await server.begin(Self.hello(), for: "anna")
    var push = Self.push(1, keys: 0..<1)
    let list = SyncValue.list(Array(repeating: .text("1"), count: 100_000))
    push.edits[0].fields[1] = SyncFieldEdit(value: list, stamp: push.edits[0].stamp)
    let answer = try await server.push(try SyncPush(encoded: push.encoded), to: "notes", for: "anna")
    #expect(answer.records.map { $0.fields[1]?.value } == [list])
    try server.close()
  }

  @Test func `the database's log stays short though somebody reads at every moment`() async throws {
    let server = try SyncServer(data: folder, mostLogSize: 1 << 20, now: { 1_000 })
    _ = try await server.begin(Self.hello(), for: "anna")
    let file = folder.appending(path: "zones.sqlite").path
    let (readers, end) = (DispatchGroup(), End())
    defer { end.isHere.store(true, ordering: .relaxed) }
    DispatchQueue.global().async(group: readers) {
      let options = ConnectionOptions(location: .file(path: file))
      guard let first = try? Connection(options), let second = try? Connection(options) else { return }
      defer {
        first.close()
        second.close()
      }
      func read(_ connection: Connection) { _ = try? connection.strings("SELECT count(*) FROM zone") }
      // One begins before the other ends.
      var (last, next) = (first, second)
      try? last.execute("BEGIN")
      read(last)
      while !end.isHere.load(ordering: .relaxed) {
        try? next.execute("BEGIN")
        read(next)
        try? last.execute("COMMIT")
        swap(&last, &next)
      }
    }
    let text = SyncValue.text(String(repeating: "x", count: 100_000))
    for number in Int64(1)...100 {
      let stamp = SyncStamp(time: UInt64(number), site: 1)
      let edit = SyncEdit(
        row: SyncRowID(entity: 1, site: 1, key: number), kind: .insert, stamp: stamp,
        fields: [1: SyncFieldEdit(value: text, stamp: stamp)])
      _ = try await server.push(SyncPush(site: 1, number: number, edits: [edit]), to: "notes", for: "anna")
    }
    let log = try FileManager.default.attributesOfItem(atPath: file + "-wal")[.size] as? NSNumber
    #expect(try #require(log).intValue < 4 << 20)
    end.isHere.store(true, ordering: .relaxed)
    await withCheckedContinuation { continuation in readers.notify(queue: .global()) { continuation.resume() } }
    try server.close()
  }

  @Test func `a read waits behind no long one while a thread is free`() async throws {
    let pool = try pool()
    let queue = ReadQueue(pool)
    let (end, (begun, begins)) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
    // The limit is for a queue that has the others wait behind it.
    async let isInTime = queue.read(for: "anna") { _ in
      begins.finish()
      return end.wait(timeout: .now() + 300) == .success
    }
    for await _ in begun {}
    for _ in 0..<2 * ReadQueue.threads { try await queue.read(for: "anna") { _ in } }
    end.signal()
    #expect(try await isInTime)
    try pool.close()
  }

  @Test func `users take turns, each with what was asked first`() {
    var turns = Turns<String>()
    for job in ["anna 1", "anna 2", "anna 3", "ben 1", "cleo 1", "ben 2"] {
      turns.append(job, of: String(job.prefix { $0 != " " }))
    }
    #expect(turns.count == 6)
    #expect(turns.count(of: "anna") == 3)
    let taken = (0..<7).compactMap { _ in turns.next() }
    #expect(taken == ["anna 1", "ben 1", "cleo 1", "anna 2", "ben 2", "anna 3"])
    #expect(turns.count == 0)
    #expect(turns.count(of: "anna") == 0)
  }

  @Test(arguments: [Duration.zero, .seconds(3_600)])
  func `who comes while many jobs of a user are written has a turn among them`(longest: Duration) async throws {
    let pool = try pool()
    let queue = WriteQueue(pool, mostLogSize: 1 << 20, longest: longest)
    let end = DispatchSemaphore(value: 0)
    let order = Mutex<[String]>([])
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    let add = { @Sendable (name: String, number: Int) in
      try await queue.write(for: name) { _ in
        begins.yield()
        // The others come while these are written.
        if number < 2 { end.wait() }
        order.withLock { $0.append("\(name) \(number)") }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      var jobs = begun.makeAsyncIterator()
      group.addTask { try await add("anna", 0) }
      await jobs.next()
      for number in 1...4 {
        group.addTask { try await add("anna", number) }
        while queue.waitingCount < number { await Task.yield() }
      }
      end.signal()
      await jobs.next()
      group.addTask { try await add("ben", 5) }
      while queue.waitingCount < 4 { await Task.yield() }
      end.signal()
      try await group.waitForAll()
    }
    #expect(order.withLock { $0 } == ["anna 0", "anna 1", "anna 2", "ben 5", "anna 3", "anna 4"])
    try pool.close()
  }

  @Test func `what a push may have to take back is kept in a file, however large the rows are`() async throws {
    let pool = try pool()
    let place = try await WriteQueue(pool, mostLogSize: 1 << 20).write(for: "anna") { access in
      try access.connection.strings("PRAGMA temp_store")
    }
    // With a key it would be there for all to read.
    #expect(place == [pool.options.key == nil ? "1" : "2"])
    try pool.close()
  }

  /// Has a job of anna's be written until a signal comes.
  private func hold(
    _ queue: WriteQueue, until end: DispatchSemaphore, _ group: inout ThrowingTaskGroup<Void, any Error>
  ) async {
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    group.addTask {
      try await queue.write(for: "anna") { _ in
        begins.finish()
        end.wait()
      }
    }
    for await _ in begun {}
  }

  @Test func `a user of whom too many bytes wait to be written is to come again, and no other`() async throws {
    let pool = try pool()
    let queue = WriteQueue(pool, mostLogSize: 1 << 20, mostBytesOfUser: 100)
    let end = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      await hold(queue, until: end, &group)
      group.addTask { try await queue.write(for: "anna", bytes: 100) { _ in } }
      while queue.waitingCount < 1 { await Task.yield() }
      await #expect(throws: SyncServiceError.busy(retryAfter: 1)) {
        try await queue.write(for: "anna", bytes: 1) { _ in }
      }
      group.addTask { try await queue.write(for: "ben", bytes: 100) { _ in } }
      while queue.waitingCount < 2 { await Task.yield() }
      end.signal()
      try await group.waitForAll()
    }
    // What was written waits no more.
    try await queue.write(for: "anna", bytes: 1) { _ in }
    try pool.close()
  }

  @Test func `where a push ends the transaction, others are not told what it is refused for`() async throws {
    let pool = try pool()
    let queue = WriteQueue(pool, mostLogSize: 1 << 20, longest: .seconds(3_600))
    let end = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      await hold(queue, until: end, &group)
      group.addTask { await #expect(throws: DatabaseError.self) { try await queue.write(for: "anna") { _ in } } }
      while queue.waitingCount < 1 { await Task.yield() }
      group.addTask {
        await #expect(throws: DatabaseError.self) {
          try await queue.write(for: "ben") { access -> Void in
            try access.connection.execute("ROLLBACK")
            throw SyncZoneError.otherPush
          }
        }
      }
      while queue.waitingCount < 2 { await Task.yield() }
      end.signal()
      try await group.waitForAll()
    }
    try pool.close()
  }

  @Test func `a user of whom too much waits is to come again, and no other`() async throws {
    let pool = try pool()
    try pool.write { try ServerTables.create($0) }
    let queue = ReadQueue(pool, mostOfUser: 2)
    let (end, (begun, begins)) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      var threads = begun.makeAsyncIterator()
      for _ in 0..<ReadQueue.threads {
        group.addTask {
          try await queue.read(for: "anna") { _ in
            begins.yield()
            return end.wait(timeout: .now() + 300) == .success
          }
        }
        _ = await threads.next()
      }
      for _ in 0..<5 {
        group.addTask { (try? await queue.read(for: "anna") { _ in true }) ?? false }
      }
      for _ in 0..<3 {
        let isRead = try await group.next()
        #expect(isRead == false)
      }
      group.addTask { try await queue.read(for: "ben") { _ in true } }
      for _ in 0..<ReadQueue.threads { end.signal() }
      for try await isRead in group { #expect(isRead) }
    }
    try pool.close()
  }

  private final class End: Sendable {
    let isHere = Atomic(false)
  }

  @Test func `a zone does not take more and more names of classes`() async throws {
    let server = try open()
    func hello(_ number: Int) -> SyncHello {
      let entities = (0..<500).map { SyncEntity(SyncName("\(number) \($0)"), fields: []) }
      return SyncHello(zone: "notes", site: 1, schema: SyncSchema(entities: entities))
    }
    for number in 0..<4 { _ = try await server.begin(hello(number), for: "anna") }
    let next = hello(4)
    await #expect(throws: SyncServiceError.tooLarge) { try await server.begin(next, for: "anna") }
    // What was refused has left nothing, and who has the names goes on.
    let welcome = try await server.begin(hello(3), for: "anna")
    #expect(welcome.numbers.entities.values.map(\.number).max() == 2_000)
    try server.close()
  }

  @Test func `a server that is killed has all of a push or nothing, and all that it answered`() async throws {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "SyncPusher")
    process.arguments = [folder.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var output = Data()
    while let data = try pipe.fileHandleForReading.read(upToCount: 1), !data.isEmpty {
      output += data
      if output.count == 100 { kill(process.processIdentifier, SIGKILL) }
    }
    process.waitUntilExit()
    let answered =
      Int64(output.split(separator: UInt8(ascii: "\n")).count) - (output.last == UInt8(ascii: "\n") ? 0 : 1)
    #expect(answered >= 25)

    let server = try open()
    let welcome = try await server.begin(Self.hello(lastPush: .max), for: "anna")
    #expect([answered, answered + 1].contains(welcome.lastPush))
    #expect(welcome.place.sequence == welcome.lastPush * 10)
    let page = try await server.service(for: "anna").page(
      behind: 0, seen: welcome.place, of: "notes", for: 2, limit: 2_000)
    #expect(Int64(page.records.count) == min(2_000, welcome.lastPush * 10))
    try server.close()
  }
}
