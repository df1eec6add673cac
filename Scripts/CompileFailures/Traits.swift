import Foundation
import Roost
import RoostServer
import RoostSync

// What a trait of the package guards says which one it is.
struct Tokens: SyncAuthenticator {
  func user(for token: String) async throws -> String? { nil }
}

func serve() throws {
  // error: 'RoostServer' is unavailable: Turn on the trait
  _ = try RoostServer(data: URL(filePath: "sync"), authenticator: Tokens())
}

func sync(_ address: URL) -> SyncConfiguration {
  // error: 'server(_:token:)' is unavailable: Turn on the trait
  .server(address, token: { "ann" })
}
