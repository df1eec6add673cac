import Foundation
import Testing

@testable import RoostVault

struct SecretFileKeyTests {
  @Test func `a variable of the environment is the passphrase`() throws {
    let key = SecretFileKey.environment("KEY")
    #expect(try key.passphrase(["KEY": "horse"]) == Secret("horse"))
    for environment in [[:], ["KEY": ""]] {
      let error = #expect(throws: SecretError.unavailable) { try key.passphrase(environment) }
      #expect(error?.message.contains("KEY") == true)
    }
  }

  @Test func `a credential of systemd's is the passphrase, without the newline at its end`() throws {
    let folder = try TemporaryFolder()
    let environment = ["CREDENTIALS_DIRECTORY": folder.url.path]
    for (content, passphrase) in [("horse", "horse"), ("horse\n", "horse"), ("ho\nrse\n\n", "ho\nrse\n")] {
      try Data(content.utf8).write(to: folder.url.appending(path: "notes"))
      #expect(try SecretFileKey.credential("notes").passphrase(environment) == Secret(passphrase))
    }
  }

  @Test func `a credential that is not there says how to give it`() throws {
    let folder = try TemporaryFolder()
    let environment = ["CREDENTIALS_DIRECTORY": folder.url.path]
    try Data().write(to: folder.url.appending(path: "empty"))
    for (name, environment) in [("notes", environment), ("empty", environment), ("notes", [:])] {
      let error = #expect(throws: SecretError.unavailable) {
        try SecretFileKey.credential(name).passphrase(environment)
      }
      #expect(error?.remedy.contains("LoadCredentialEncrypted=\(name)") == true)
    }
    for name in ["", "..", "../notes", "a/b"] {
      #expect(throws: SecretError.unsupportedName) { try SecretFileKey.credential(name).passphrase(environment) }
    }
  }

  @Test func `an empty passphrase is none`() {
    #expect(throws: SecretError.unavailable) { try SecretFileKey.passphrase(Secret("")).passphrase([:]) }
  }
}
