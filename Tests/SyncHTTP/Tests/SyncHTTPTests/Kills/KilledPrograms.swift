import Foundation
import Synchronization
@testable import TestSupport

/// A server and its clients, each a process that is started again when it was killed.
final class KilledPrograms: Sendable {
  private enum Kind { case client, server }

  private struct State {
    var random: SeededRandom
    var kills: [Kind: Int] = [.client: 0, .server: 0]
    var failures: [String: Int] = [:]
    /// What the server said since it was started first.
    var requests = 0
    var port = 0
    var server: Program?
    var isOver = false
  }

  private let folder: URL
  private let kills: Int
  private let state: Mutex<State>

  init(_ folder: URL, kills: Int, seed: UInt64) {
    (self.folder, self.kills) = (folder, kills)
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  var counts: String {
    state.withLock {
      "killed: \($0.kills[.client] ?? 0) clients, \($0.kills[.server] ?? 0) servers; \($0.requests) requests"
    }
  }

  /// What clients said of saves that failed.
  var failures: [String: Int] { state.withLock(\.failures) }

  /// Runs all until enough were killed of each kind.
  func run(_ clients: [String]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (ports, port) = AsyncStream.makeStream(of: Int.self)
      group.addTask {
        defer { port.finish() }
        try await self.runServer { port.yield($0) }
      }
      guard await ports.first(where: { _ in true }) != nil else { return try await group.waitForAll() }
      group.addTask {
        defer { self.end() }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for client in clients { group.addTask { try await self.runClient(client) } }
          try await group.waitForAll()
        }
      }
      try await group.waitForAll()
    }
  }

  /// Runs clients, one after the other, until each has sent and fetched all. Returns what they say of that.
  func finish(_ clients: [String]) async throws -> [String] {
    try await withThrowingTaskGroup(of: [String].self) { group in
      let (ports, port) = AsyncStream.makeStream(of: Int.self)
      group.addTask {
        defer { port.finish() }
        _ = try await self.server().run { if $0.hasPrefix("port") { port.yield(0) } }
        return []
      }
      _ = await ports.first { _ in true }
      group.addTask {
        defer { self.state.withLock { $0.server?.terminate() } }
        var statuses: [String] = []
        for client in clients {
          let last = Mutex("")
          _ = try await self.client(client, "finish").run { line in last.withLock { $0 = line } }
          statuses.append(last.withLock(\.self))
        }
        return statuses
      }
      return try await group.reduce([], +)
    }
  }

  // MARK: - Processes

  private func runServer(_ onPort: @escaping @Sendable (Int) -> Void) async throws {
    while !isOver {
      let wasKilled = try await server().run(killedAfter: below(80)) { line in
        guard line.hasPrefix("port"), let port = line.split(separator: " ").last.flatMap({ Int($0) }) else {
          return self.state.withLock { $0.requests += 1 }
        }
        self.state.withLock { $0.port = port }
        onPort(port)
      }
      if wasKilled { count(.server) }
    }
  }

  private func runClient(_ name: String) async throws {
    while !hasEnough {
      let seed = state.withLock { $0.random.next() }
      let wasKilled = try await client(name, "\(seed)").run(killedAfter: below(150)) { line in
        if line.hasPrefix("failed") { self.state.withLock { $0.failures[line, default: 0] += 1 } }
      }
      if wasKilled { count(.client) }
    }
  }

  private func server() -> Program {
    state.withLock { state in
      let server = Program(
        "SyncServerProcess", [folder.appending(path: "server").path, "\(state.port)"])
      state.server = server
      return server
    }
  }

  private func client(_ name: String, _ seed: String) -> Program {
    Program(
      "SyncClientProcess", [name, folder.path, "http://127.0.0.1:\(state.withLock(\.port))", seed])
  }

  // MARK: - Kills

  private var isOver: Bool { state.withLock(\.isOver) }
  private var hasEnough: Bool { state.withLock { $0.isOver || $0.kills.values.allSatisfy { $0 >= kills } } }

  private func below(_ most: Int) -> Int { state.withLock { 1 + $0.random.below(most) } }

  private func count(_ kind: Kind) { state.withLock { $0.kills[kind, default: 0] += 1 } }

  /// Ends the server: no client asks it any more.
  private func end() {
    state.withLock { state in
      state.isOver = true
      state.server?.kill()
    }
  }
}
