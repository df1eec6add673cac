import Foundation
import Roost
import Stock
import Synchronization
@testable import TestSupport
import Testing

/// Programs with synced stores and their server, which are all killed again and again in the middle of their work.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
  private let folder = Folder()
  private static let clients = ["a", "b", "c"]
  /// More of them in `make soak`.
  private static let kills = ProcessInfo.processInfo.environment["ROOST_KILLS"].flatMap { Int($0) } ?? 15

  @Test func `clients and a server that are killed at any time lose nothing, and end with the same rows`() async throws
  {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let programs = KilledPrograms(folder.url, kills: Self.kills, seed: seed)
    try await programs.run(Self.clients)
    print("\(programs.counts), \(programs.failures)")
    // What the first have yet to show may refer to what the others have yet to send.
    _ = try await programs.finish(Self.clients)
    // The last one has no store yet: it shows what the server has.
    let statuses = try await programs.finish(Self.clients + ["fresh"])
    #expect(statuses.allSatisfy { $0 == "upToDate 0 0" }, "\(statuses)")

    let stocks = try (Self.clients + ["fresh"]).map { try StockImage(folder.url.appending(path: "\($0).store")) }
    for stock in stocks { #expect(stock.difference(from: stocks[0]) == "") }
    for file in Self.clients.map({ "\($0).store" }) + ["server/zones.sqlite"] {
      #expect(try StockImage.damage(folder.url.appending(path: file)) == [])
    }
    let saves = try Self.clients.map { try Notebook.saves(folder.url.appending(path: "\($0).notes")) }
    let problems = Deeds(saves).problems(stocks[0])
    #expect(problems == [], "ROOST_SEED=\(seed)")
    // It tested something.
    let states = Dictionary(grouping: saves.joined(), by: \.state).mapValues(\.count)
    print("saves: \(states), \(stocks[0].items.count) items")
    #expect(states[.done] ?? 0 > Self.kills * 10 && states[.begun] ?? 0 > 0 && !stocks[0].items.isEmpty)
  }
}
