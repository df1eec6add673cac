import Foundation
import RoostEngine

/// What a synced file says of itself.
struct SyncFacts {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// nil for a file that was never synced.
  var state: SyncState? {
    get throws { try text("state").map { try JSONDecoder().decode(SyncState.self, from: Data($0.utf8)) } }
  }

  func set(_ state: SyncState) throws { try set(state, "state") }

  /// What the server said as the session began; nil before it ever did.
  var sessionText: String? { get throws { try text("session") } }

  func set(_ session: SyncSessionFacts) throws { try set(session, "session") }

  static func session(_ text: String) throws -> SyncSessionFacts {
    try JSONDecoder().decode(SyncSessionFacts.self, from: Data(text.utf8))
  }

  private func text(_ name: String) throws -> String? {
    let statement = try connection.statement("SELECT value FROM _roost_sync_state WHERE name = ?")
    defer { statement.reset() }
    statement.bind(name, at: 1)
    return try statement.step() ? statement.string(0) : nil
  }

  private func set(_ value: some Encodable, _ name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let statement = try connection.statement(
      "INSERT INTO _roost_sync_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    statement.bind(name, at: 1)
    statement.bind(String(decoding: try encoder.encode(value), as: UTF8.self), at: 2)
    try statement.run()
  }
}
