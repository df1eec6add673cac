import Foundation
import RoostServer

struct Tokens: SyncAuthenticator {
  let users: [String: String]  // or ask whoever signs your users in

  func user(for token: String) async throws -> String? { users[token] }
}

@main struct Server {
  static func main() async {
    do {
      let server = try RoostServer(
        data: URL(filePath: "sync"), authenticator: Tokens(users: ["secret of Ann's": "ann"]))
      try await server.run(host: "127.0.0.1", port: 8080)
    } catch {
      print("error: \(error)")
      exit(1)
    }
  }
}
