import Foundation
import Logging
import Roost
import RoostServer
import RoostSync

// What syncing takes, by HTTP on loopback, with the server in the same process: see docs/performance.md.

@Model final class Item {
  var title: String
  var number: Int
  var price: Double
  var date: Date

  init(_ number: Int) {
    (title, self.number, price, date) = ("Item \(number)", number, Double(number) / 4, Date(timeIntervalSince1970: 1e9))
  }
}

LoggingSystem.bootstrap { label in
  var handler = StreamLogHandler.standardError(label: label)
  handler.logLevel = .critical
  return handler
}

let arguments = CommandLine.arguments
func option(_ name: String, _ fallback: Int) -> Int {
  arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? Int(arguments[$0 + 1]) : nil } ?? fallback
}
let rows = option("--rows", 1_000_000)
let writes = option("--writes", 200)

let folder = FileManager.default.temporaryDirectory.appending(
  path: "roost-sync-bench-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let server = try RoostServer(
  data: folder.appending(path: "server"), authenticator: DevelopmentTokens(), isDevelopment: true)
let (ports, port) = AsyncStream<Int>.makeStream()
let serving = Task { try await server.run(port: 0) { port.yield($0) } }
guard let port = await ports.first(where: { _ in true }), let address = URL(string: "http://127.0.0.1:\(port)") else {
  throw CocoaError(.featureUnsupported)
}

func container(_ name: String, user: String?) throws -> ModelContainer {
  var configuration = ModelConfiguration("bench", url: folder.appending(path: "\(name).store"))
  if let user { configuration.sync = .server(address, token: { user }) }
  return try ModelContainer(for: Item.self, configurations: configuration)
}

@MainActor func seconds(_ body: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await body()
  return seconds(ContinuousClock.now - start)
}

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

var results: [String: Double] = [:]
@MainActor func report(_ name: String, _ value: Double, _ unit: String) {
  results[name] = value
  let line = "\(name.padding(toLength: 40, withPad: " ", startingAt: 0)) \(String(format: "%.1f", value)) \(unit)\n"
  // Not `print`, which may keep it for later.
  FileHandle.standardOutput.write(Data(line.utf8))
}

// A write to the other client.
do {
  let (first, second) = (try container("first", user: "ann"), try container("second", user: "ann"))
  try await first.sync?.now()
  try await second.sync?.now()
  guard let events = second.sync?.events else { throw CocoaError(.featureUnsupported) }
  let context = ModelContext(first)
  var times: [Double] = []
  for number in 0..<writes {
    context.insert(Item(number))
    let time = try await seconds {
      try context.save()
      for await event in events { if case .received = event { break } }
    }
    times.append(time * 1_000)
  }
  times.sort()
  report("write to other client, median", times[times.count / 2], "ms")
  report("write to other client, 99th of 100", times[times.count * 99 / 100], "ms")
  try first.close()
  try second.close()
}

// Many rows, pushed and fetched.
do {
  let first = try container("many", user: "ben")
  try await first.sync?.now()
  first.sync?.pause()
  let saving = try await seconds {
    for start in stride(from: 0, to: rows, by: 10_000) {
      let context = ModelContext(first)
      for number in start..<min(start + 10_000, rows) { context.insert(Item(number)) }
      try context.save()
    }
  }
  report("rows saved a second", Double(rows) / saving, "")
  let pushing = try await seconds { try await first.sync?.now() }
  report("rows pushed a second", Double(rows) / pushing, "")
  let second = try container("fetched", user: "ben")
  let fetching = try await seconds { try await second.sync?.now() }
  let count = try ModelContext(second).fetchCount(FetchDescriptor<Item>())
  guard count == rows else { fatalError("\(count) rows of \(rows) came") }
  report("rows fetched a second", Double(rows) / fetching, "")
  try first.close()
  try second.close()
}

// What syncing costs who saves: until the save returns, and until what it changed is noted to be sent.
do {
  func insert(_ name: String, user: String?) async throws -> (saved: Double, noted: Double) {
    let container = try container(name, user: user)
    try await container.sync?.now()
    container.sync?.pause()
    let events = container.sync?.events
    let context = ModelContext(container)
    for number in 0..<50_000 { context.insert(Item(number)) }
    let start = ContinuousClock.now
    try context.save()
    let saved = ContinuousClock.now
    if let events {
      for await event in events { if case .status(let status) = event, status.waitingChanges >= 50_000 { break } }
    }
    let noted = ContinuousClock.now
    try container.close()
    return (seconds(start.duration(to: saved)), seconds(start.duration(to: noted)))
  }
  var ratios: [(saved: Double, noted: Double)] = []
  for round in 0..<5 {
    let plain = try await insert("plain\(round)", user: nil).saved
    let synced = try await insert("synced\(round)", user: "eve\(round)")
    ratios.append((synced.saved / plain, synced.noted / plain))
  }
  report("insert-50k, synced to not", ratios.map(\.saved).sorted()[2], "×")
  report("insert-50k, noted to not synced", ratios.map(\.noted).sorted()[2], "×")
}

// Saves that delete a row each: what was saved before is noted first.
do {
  func delete(_ name: String, user: String?) async throws -> Double {
    let container = try container(name, user: user)
    try await container.sync?.now()
    container.sync?.pause()
    let context = ModelContext(container)
    let items = (0..<1_000).map { Item($0) }
    for item in items { context.insert(item) }
    try context.save()
    if let events = container.sync?.events {
      for await event in events { if case .status(let status) = event, status.waitingChanges >= 1_000 { break } }
    }
    let time = try await seconds {
      for item in items {
        context.delete(item)
        try context.save()
      }
    }
    try container.close()
    return time
  }
  var ratios: [Double] = []
  for round in 0..<5 {
    let plain = try await delete("kept\(round)", user: nil)
    ratios.append(try await delete("sent\(round)", user: "fay\(round)") / plain)
  }
  report("1,000 saves that delete, synced to not", ratios.sorted()[2], "×")
}

let file = URL(filePath: ".build/bench-sync.json")
try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
try encoder.encode(results).write(to: file)
serving.cancel()
_ = await serving.result
