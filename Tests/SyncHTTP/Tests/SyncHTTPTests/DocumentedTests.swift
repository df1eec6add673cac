import Foundation
import Roost
import RoostServer
import RoostSync
import Testing

@Model private final class Note {
  var text: String
  init(_ text: String) { self.text = text }
}

/// What the documentation shows, by what programs can use alone.
@Suite struct DocumentedTests {
  @Test(.timeLimit(.minutes(10))) func `a test of sync is as short as the documentation says`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "documented-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RoostServer(
      data: folder.appending(path: "server"), authenticator: DevelopmentTokens(), isDevelopment: true)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let running = Task {
      defer { port.finish() }
      try await server.run(port: 0) { port.yield($0) }
    }
    var texts: [String] = []
    for await number in ports {
      func container(_ name: String) throws -> ModelContainer {
        var configuration = ModelConfiguration("Library", url: folder.appending(path: name))
        configuration.sync = .server(URL(string: "http://127.0.0.1:\(number)")!, token: { "ann" })
        return try ModelContainer(for: Note.self, configurations: configuration)
      }
      let (first, second) = (try container("first"), try container("second"))
      let context = ModelContext(first)
      context.insert(Note("Sea"))
      try context.save()
      for container in [first, second] { try await container.sync?.now() }
      texts = try ModelContext(second).fetch(FetchDescriptor<Note>()).map(\.text)
      running.cancel()
    }
    #expect(texts == ["Sea"])
  }

  /// Compiling the tests compiles the program too, so equal texts mean that the documentation's compiles.
  @Test func `the server program of the protocol's page compiles`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let page = try String(contentsOf: folder.appending(path: "../../docs/sync-protocol.md"), encoding: .utf8)
    let program = try String(contentsOf: folder.appending(path: "Sources/ServerExample/Server.swift"), encoding: .utf8)
    #expect(page.contains("```swift\n\(program)```\n"))
  }
}
