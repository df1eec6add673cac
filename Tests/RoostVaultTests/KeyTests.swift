import Foundation
import Synchronization
import Testing

@testable import RoostVault

struct KeyTests {
  @Test(arguments: Vault.here) func `a key is made once and is the same ever after`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      let key = try secrets.key(named: "notes")
      #expect(key.count == 32)
      #expect(try secrets.key(named: "notes") == key)
      #expect(try secrets.key(named: "other") != key)
      #expect(try secrets.list() == ["key:notes", "key:other"])
    }
  }

  @Test(arguments: Vault.here) func `a secret that is called like a key does not replace it`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      let key = try secrets.key(named: "notes")
      try secrets.set("a", for: "notes")
      #expect(try secrets.key(named: "notes") == key)
    }
  }

  @Test(arguments: Vault.here) func `what is no key is not taken for one`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      try secrets.set("short", for: "key:notes")
      #expect(throws: SecretError.otherType) { try secrets.key(named: "notes") }
      #expect(try secrets.get(String.self, for: "key:notes") == "short")
    }
  }

  @Test(arguments: Vault.here) func `threads that ask for a key at once get one`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      let keys = Mutex<[Secret]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let key = try? secrets.key(named: "notes") { keys.withLock { $0.append(key) } }
      }
      let found = keys.withLock { $0 }
      #expect(found.count == 8)
      #expect(found.allSatisfy { $0 == found.first })
    }
  }
}
