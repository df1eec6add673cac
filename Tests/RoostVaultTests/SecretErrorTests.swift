import Foundation
import RoostVault
import Testing

struct SecretErrorTests {
  @Test func `an error is caught by its kind`() throws {
    var isCaught = false
    do {
      try SecretStore.memory().set("a", for: "")
    } catch SecretError.locked {
      Issue.record("nothing is locked")
    } catch SecretError.unsupportedName {
      isCaught = true
    }
    #expect(isCaught)
  }

  @Test func `an error says what happened and what to do`() throws {
    let thrown = #expect(throws: SecretError.self) { try SecretStore.memory().set("a", for: "") }
    let error = try #require(thrown)
    #expect("\(error)".contains("account is empty"))
    #expect("\(error)".contains(error.remedy))
    #expect(error.localizedDescription == "\(error)")
  }

  @Test func `a backend of one's own is a vault like the others`() throws {
    let secrets = SecretStore(Rot13(), service: "a", access: .whenUnlocked)
    try secrets.set("Uryyb", for: "text")
    #expect(try secrets.get(String.self, for: "text") == "Hello")
    #expect(throws: SecretError.locked) { try secrets.list() }
  }

  private struct Rot13: SecretBackend {
    func read(_ name: SecretName) throws -> Secret? { Secret("Hello") }
    func write(_ secret: Secret, for name: SecretName, access: SecretAccess) throws { #expect(access == .whenUnlocked) }
    func add(_ secret: Secret, for name: SecretName, access: SecretAccess) throws -> Secret { secret }
    func remove(_ name: SecretName) throws -> Bool { false }
    func accounts(of service: String) throws -> [String] { throw SecretError.locked }
  }
}
