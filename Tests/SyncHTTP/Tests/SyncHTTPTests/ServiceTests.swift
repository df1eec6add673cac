import Foundation
import Roost
@testable import RoostServer
@testable import RoostSync
import Stock
@testable import SyncMerge
@testable import TestSupport
import Testing

/// Devices and a server, by HTTP.
@Suite struct ServiceTests {
  private let folder = Folder()

  @Test func `devices that push and read by HTTP show the same`() async throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    let server = try await RunningServer(folder)
    let service = server.service()
    var phones = (UInt64(1)...3).map { Phone(site: $0) }
    for phone in phones { _ = try await service.begin(Talk.hello(site: phone.site)) }
    for _ in 0..<150 {
      let place = random.below(phones.count)
      try await edit(&phones[place], &random)
      if random.once(in: 3) { try await send(&phones[place], service) }
      if random.once(in: 3) { try await read(&phones[place], service, &random) }
    }
    for place in phones.indices { try await send(&phones[place], service) }
    for place in phones.indices { try await read(&phones[place], service, &random) }
    let records = try await service.page(behind: 0, seen: .start, of: "notes", for: 9, limit: 1_000).records
    #expect(phones.allSatisfy { phone in phone.isSynced && records.allSatisfy { phone.shown[$0.row] == $0 } })
    #expect(records.count > 3)
    let digest = try await service.digest(of: "notes")
    #expect(digest.rows.values.map(\.count) == [Int64(records.count { $0.deletion == nil })])
    try await server.stop()
  }

  private func edit(_ phone: inout Phone, _ random: inout SeededRandom) async throws {
    let rows = phone.rows
    if rows.isEmpty || random.once(in: 8) { return phone.insert(now: 1) }
    let row = random.pick(rows)
    if random.once(in: 12) { return phone.delete(row, now: 1) }
    phone.write(.text("\(random.below(100))"), to: 2, of: row, now: 1)
  }

  private func send(_ phone: inout Phone, _ service: some SyncService) async throws {
    while let push = phone.push() { phone.receive(try await service.push(push, to: "notes")) }
  }

  private func read(_ phone: inout Phone, _ service: some SyncService, _ random: inout SeededRandom) async throws {
    while true {
      let page = try await service.page(
        behind: phone.cursor, seen: .start, of: "notes", for: phone.site, limit: 1 + random.below(5))
      phone.receive(page)
      if page.isLast { return }
    }
  }

  @Test func `zones may be called anything, and are each user's own`() async throws {
    let server = try await RunningServer(folder)
    for zone in ["my notes/../x?y=1#z", "日記", "%2F", String(repeating: "é", count: 100)] {
      let (anna, ben) = (server.service("anna"), server.service("ben ☀"))
      _ = try await anna.begin(Talk.hello(zone))
      _ = try await ben.begin(Talk.hello(zone))
      _ = try await anna.push(Talk.push(1), to: zone)
      let page = try await ben.page(behind: 0, seen: .start, of: zone, for: 2, limit: 9)
      #expect(page.records.isEmpty)
      #expect(try await anna.page(behind: 0, seen: .start, of: zone, for: 2, limit: 9).records.count == 3)
    }
    try await server.stop()
  }

  @Test func `who listens hears of others' changes, until the server ends`() async throws {
    let server = try await RunningServer(folder)
    let (one, two) = (server.service(), server.service())
    _ = try await one.begin(Talk.hello(site: 1))
    var heads = try await two.heads(of: "notes").makeAsyncIterator()
    #expect(try await heads.next() == 0)
    _ = try await one.push(Talk.push(1), to: "notes")
    #expect(try await heads.next() == 3)
    try await server.stop()
    // The end that a server makes of a stream may also come as one of the connection.
    #expect(await (try? heads.next()) == nil)
    await #expect(throws: SyncServiceError.self) { try await one.begin(Talk.hello()) }
  }

  @Test func `what a zone refuses is told with its reason`() async throws {
    let server = try await RunningServer(folder)
    let service = server.service()
    await #expect(throws: SyncZoneError.unknownVersion(newest: 1)) {
      try await service.begin(Talk.hello(versions: 7...8))
    }
    await #expect(throws: SyncZoneError.unknownPlace) { try await service.push(Talk.push(1), to: "notes") }
    await #expect(throws: SyncZoneError.unknownPlace) { _ = try await service.heads(of: "notes") }
    _ = try await service.begin(Talk.hello())
    await #expect(throws: SyncZoneError.missingPush(1)) { try await service.push(Talk.push(5), to: "notes") }
    _ = try await service.push(Talk.push(1), to: "notes")
    await #expect(throws: SyncZoneError.otherPush) { try await service.begin(Talk.hello()) }
    var ahead = Talk.push(2)
    ahead.edits[0].stamp = SyncStamp(time: .max, site: 1)
    let push = ahead
    do {
      _ = try await service.push(push, to: "notes")
      Issue.record("It was taken.")
    } catch SyncZoneError.clockAhead(let now) {
      #expect(now > 1_700_000_000_000)
    }
    try await server.stop()
  }

  @Test func `what else is refused is told`() async throws {
    let server = try await RunningServer(folder, limits: SyncLimits(edits: 4, bytes: 4_000))
    let service = server.service()
    _ = try await service.begin(Talk.hello())
    await #expect(throws: SyncServiceError.unauthorized) { try await server.service("").begin(Talk.hello()) }
    await #expect(throws: SyncServiceError.tooLarge) { try await service.push(Talk.push(1, rows: 0..<5), to: "notes") }
    let long = String(repeating: "long", count: 2_000)
    await #expect(throws: SyncServiceError.tooLarge) { try await service.push(Talk.push(1, text: long), to: "notes") }
    _ = try await service.push(Talk.push(1), to: "notes")
    await #expect(throws: SyncServiceError.malformed("The answer is too large.")) {
      try await server.service(mostBytes: 100).page(behind: 0, seen: .start, of: "notes", for: 1, limit: 9)
    }
    try await server.stop()
  }

  @Test func `a push that is far too large is told so while it is still being sent`() async throws {
    let server = try await RunningServer(folder)
    let service = server.service()
    _ = try await service.begin(Talk.hello())
    let push = Talk.push(1, text: String(repeating: "large", count: 2 << 20))
    for _ in 0..<5 {
      await #expect(throws: SyncServiceError.tooLarge) { try await service.push(push, to: "notes") }
    }
    _ = try await service.push(Talk.push(1), to: "notes")
    try await server.stop()
  }

  @Test func `all that was answered is there when a server that was cut off starts again`() async throws {
    let first = try await RunningServer(folder)
    for site in UInt64(1)...4 { _ = try await first.service().begin(Talk.hello(site: site)) }
    let answered = await withTaskGroup(of: (UInt64, Int64).self) { group in
      for site in UInt64(1)...4 {
        let service = first.service()
        group.addTask {
          var last: Int64 = 0
          while let answer = try? await service.push(Talk.push(last + 1, site: site), to: "notes") {
            last = answer.number
          }
          return (site, last)
        }
      }
      group.addTask {
        // After some pushes of each.
        let heads = try? await first.service().heads(of: "notes")
        if let heads { for await head in Tolerant(heads) where head > 100 { break } }
        await first.cutOff()
        return (0, 0)
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let second = try await RunningServer(folder)
    for site in UInt64(1)...4 {
      let welcome = try await second.service().begin(Talk.hello(site: site, lastPush: .max))
      let last = try #require(answered[site])
      #expect([last, last + 1].contains(welcome.lastPush))
    }
    try await second.stop()
  }

  @Test(arguments: ["a\r\nx: y", "\0"])
  func `a token that cannot be sent is an error that does not tell it`(_ token: String) async throws {
    let service = HTTPSyncService(try #require(URL(string: "http://127.0.0.1:1")), token: { token })
    let error = await #expect(throws: SyncServiceError.self) { try await service.begin(Talk.hello()) }
    guard case .refused(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.contains(token))
  }

  @Test(
    arguments: [
      "sync.example.org", "ftp://sync.example.org", "https://", "https://ann:secret@sync.example.org",
      "https://sync.example.org/?key=secret", "https://sync.example.org/#secret",
    ])
  func `an address that no server has is an error as the container is made`(_ address: String) throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    var configuration = ModelConfiguration(url: folder.url.appendingPathComponent("a.store"))
    configuration.sync = .server(try #require(URL(string: address)), token: { "ann" })
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Schema(stockModels), configurations: configuration)
    }
    let text = "\(try #require(error))"
    #expect(text.contains("https://sync.example.org") && !text.contains("secret"))
  }

  @Test func `a server on a port that another one has says so`() async throws {
    let (first, second) = (Folder(), Folder())
    let server = try await RunningServer(first)
    let other = try RoostServer(data: second.url, authenticator: DevelopmentTokens(), isDevelopment: true)
    let port = try #require(server.url.port)
    await #expect(throws: RoostServerError.portInUse(port)) { try await other.run(port: port) }
    try await server.stop()
  }

  @Test func `a second server in a folder is refused, and says what to do`() async throws {
    let server = try await RunningServer(folder)
    let error = #expect(throws: RoostServerError.self) {
      try RoostServer(data: folder.url, authenticator: DevelopmentTokens(), isDevelopment: true)
    }
    #expect(error == .inUse(folder: folder.url.path))
    #expect(try #require(error).description.contains("End that one"))
    _ = try await server.service().begin(Talk.hello())
    try await server.stop()
    let next = try await RunningServer(folder)
    try await next.stop()
  }

  @Test func `a folder that cannot be used is told, with what to do`() throws {
    let file = folder.url.appending(path: "file")
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try Data("no folder".utf8).write(to: file)
    let data = folder.url.appending(path: "data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try Data(repeating: 65, count: 5_000).write(to: data.appending(path: "zones.sqlite"))
    for url in [file, data] {
      let error = #expect(throws: RoostServerError.self) {
        try RoostServer(data: url, authenticator: DevelopmentTokens(), isDevelopment: true)
      }
      guard case .unusable(let path, _)? = error else {
        Issue.record("\(url.lastPathComponent): \(error.map { "\($0)" } ?? "no error")")
        continue
      }
      #expect(path == url.path && error?.description.contains("Give the server a folder") == true)
    }
  }

  @Test func `tokens that are names are refused unless the server is for development`() {
    #expect(throws: RoostServerError.developmentOnly) {
      try RoostServer(data: folder.url, authenticator: DevelopmentTokens())
    }
  }
}

/// Heads that end where the connection does.
private struct Tolerant: AsyncSequence {
  private let heads: AsyncThrowingStream<Int64, any Error>

  init(_ heads: AsyncThrowingStream<Int64, any Error>) { self.heads = heads }

  struct AsyncIterator: AsyncIteratorProtocol {
    var heads: AsyncThrowingStream<Int64, any Error>.AsyncIterator

    mutating func next() async -> Int64? { try? await heads.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(heads: heads.makeAsyncIterator()) }
}
