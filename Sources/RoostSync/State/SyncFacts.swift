import Foundation
import RoostCore
import RoostEngine
import Synchronization

/// What a synced file says of itself.
struct SyncFacts {
  private let connection: Connection
  private let last: LastState

  init(_ connection: Connection, _ last: LastState) { (self.connection, self.last) = (connection, last) }

  /// nil for a file that was never synced.
  var state: SyncState? {
    get throws {
      guard let text = try text("state") else { return nil }
      if let state = last.state(of: text) { return state }
      let state = try Self.decode(SyncState.self, text, where: \.isPossible)
      last.note(state, text)
      return state
    }
  }

  /// The state of a file that was synced.
  ///
  /// - Throws: ``SyncedStoreError/notBegun`` for any other.
  func begunState() throws -> SyncState {
    guard let state = try state else { throw SyncedStoreError.notBegun }
    return state
  }

  func set(_ state: SyncState) throws { last.note(state, try set(state, "state")) }

  /// What the server said as the session began; nil before it ever did.
  var sessionText: String? { get throws { try text("session") } }

  func set(_ session: SyncSessionFacts) throws { _ = try set(session, "session") }

  static func session(_ text: String) throws -> SyncSessionFacts {
    try decode(SyncSessionFacts.self, text, where: \.isPossible)
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ text: String, where isPossible: (Value) -> Bool
  ) throws -> Value {
    let value = try? JSONDecoder().decode(type, from: Data(text.utf8))
    if let value, isPossible(value) { return value }
    throw SwiftDataError(
      .corruptValue, "What the store's file keeps of its server cannot be read.",
      remedy: "Restore a backup of the store; what was synced comes from the server again.")
  }

  private func text(_ name: String) throws -> String? {
    let statement = try connection.statement("SELECT value FROM _roost_sync_state WHERE name = ?")
    defer { statement.reset() }
    statement.bind(name, at: 1)
    return try statement.step() ? statement.string(0) : nil
  }

  /// Returns the text that the value is kept as.
  private func set(_ value: some Encodable, _ name: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let statement = try connection.statement(
      "INSERT INTO _roost_sync_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    statement.bind(name, at: 1)
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    statement.bind(text, at: 2)
    try statement.run()
    return text
  }
}

/// The state that was read or written last, by its text, which is not decoded again as
/// long as the file has the same one.
final class LastState: Sendable {
  private let last = Mutex<(text: String, state: SyncState)?>(nil)

  func state(of text: String) -> SyncState? { last.withLock { $0.flatMap { $0.text == text ? $0.state : nil } } }

  func note(_ state: SyncState, _ text: String) { last.withLock { $0 = (text, state) } }
}
