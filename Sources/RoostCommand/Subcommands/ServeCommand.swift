import ArgumentParser
import Dispatch
import Foundation
import Synchronization

#if Server
  import RoostServer
#endif

struct ServeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves synced stores to the programs that have them.",
    discussion: """
      It takes anybody for whom they say they are, and so serves only with `--development`. A server for others is a \
      program of a few lines that tells whose a token is: see `RoostServer` and its `SyncAuthenticator`.

      It ends at SIGTERM and SIGINT, once what is under way is answered. It speaks HTTP without TLS.
      """)

  @Option(help: "The folder with the server's data, made if it is not there.", completion: .directory) var data: String
  @Option(help: "The address to listen on.") var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 for any.") var port = 8080
  @Flag(help: "Takes a user's name for their token.") var development = false

  func run(on console: Console) throws -> Verdict {
    #if Server
      let server: RoostServer
      do {
        server = try RoostServer(
          data: URL(argument: data), authenticator: DevelopmentTokens(), isDevelopment: development)
      } catch RoostServerError.developmentOnly {
        throw ValidationError("Anybody could pretend to be anybody. Say --development if that is what you want.")
      }
      let (host, port) = (host, port)
      let ended = Ended()
      Task {
        do {
          try await server.run(host: host, port: port) { port in
            print("Serving at http://\(host):\(port)")
            // Whoever reads it by a pipe waits for it.
            fflush(nil)
          }
          ended.end(nil)
        } catch {
          ended.end(error)
        }
      }
      try ended.wait()
      return .fine
    #else
      throw ValidationError(
        "This command was built without the server. Build it with: swift build --traits Server --product roost")
    #endif
  }
}

#if Server
  /// Has a thread wait for a task.
  private final class Ended: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let error = Mutex<(any Error)?>(nil)

    func end(_ value: (any Error)?) {
      error.withLock { $0 = value }
      semaphore.signal()
    }

    func wait() throws {
      semaphore.wait()
      if let error = error.withLock({ $0 }) { throw error }
    }
  }
#endif
