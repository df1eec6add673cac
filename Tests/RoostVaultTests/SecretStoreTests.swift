import Foundation
import Testing

@testable import RoostVault

struct SecretStoreTests {
  private struct Token: Codable, Equatable {
    let text: String
    let expiry: Date
  }

  @Test(arguments: Vault.here) func `what is set is got`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      let token = Token(text: "abc", expiry: Date(timeIntervalSince1970: 1_000))
      let bytes = Data(0...255)
      try secrets.set("naïve \0 text", for: "text")
      try secrets.set(bytes, for: "bytes")
      try secrets.set(token, for: "token")
      try secrets.set(42, for: "number")
      try secrets.set(Secret(bytes), for: "secret")

      #expect(try secrets.get(String.self, for: "text") == "naïve \0 text")
      #expect(try secrets.get(Data.self, for: "bytes") == bytes)
      #expect(try secrets.get(Token.self, for: "token") == token)
      #expect(try secrets.get(Int.self, for: "number") == 42)
      #expect(try secrets.get(Secret.self, for: "secret") == Secret(bytes))
    }
  }

  @Test(arguments: Vault.here) func `what is set as an optional is got as one, and as what it wraps`(_ vault: Vault)
    throws
  {
    try vault.withStore { secrets in
      let text: String? = "abc"
      let bytes: Data? = Data(0...255)
      let number: Int? = 42
      try secrets.set(text, for: "text")
      try secrets.set(bytes, for: "bytes")
      try secrets.set(number, for: "number")

      #expect(try secrets.get(String?.self, for: "text") == .some(text))
      #expect(try secrets.get(String.self, for: "text") == text)
      #expect(try secrets.get(Data?.self, for: "bytes") == .some(bytes))
      #expect(try secrets.get(Data.self, for: "bytes") == bytes)
      #expect(try secrets.get(Int?.self, for: "number") == .some(number))
      #expect(try secrets.get(Int.self, for: "number") == number)
      // Bytes that are no UTF-8 are no text, and not nil either.
      #expect(throws: SecretError.otherType) { try secrets.get(String?.self, for: "bytes") }
    }
  }

  @Test(arguments: Vault.here) func `nil is not kept, and what was set stays`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      try secrets.set("abc", for: "text")
      let error = #expect(throws: SecretError.otherType) { try secrets.set(String?.none, for: "text") }
      #expect(error?.remedy.contains("remove") == true)
      #expect(throws: SecretError.otherType) { try secrets.set(Data?.none, for: "text") }
      #expect(throws: SecretError.otherType) { try secrets.set(Int?.none, for: "text") }
      #expect(try secrets.get(String.self, for: "text") == "abc")
    }
  }

  @Test(arguments: Vault.here) func `what was never set is nil`(_ vault: Vault) throws {
    // Not inferred, as all that throws is in macros.
    try vault.withStore { (secrets) throws in
      #expect(try secrets.get(String.self, for: "text") == nil)
      #expect(try !secrets.remove("text"))
      #expect(try secrets.list().isEmpty)
    }
  }

  @Test(arguments: Vault.here) func `what is set anew replaces the former`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      for text in ["a", "much longer than the former", "b"] {
        try secrets.set(text, for: "text")
        #expect(try secrets.get(String.self, for: "text") == text)
      }
      #expect(try secrets.list() == ["text"])
    }
  }

  @Test(arguments: Vault.here) func `what is removed is gone, and nothing else`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      try secrets.set("a", for: "one")
      try secrets.set("b", for: "two")
      #expect(try secrets.remove("one"))
      #expect(try secrets.get(String.self, for: "one") == nil)
      #expect(try secrets.get(String.self, for: "two") == "b")
    }
  }

  @Test(arguments: Vault.here) func `a list has the names of its own service, sorted`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      var other = secrets
      other.service += ":b"
      try secrets.set("1", for: "b")
      try secrets.set("2", for: "a")
      try other.set("3", for: "c")
      defer { _ = try? other.remove("c") }
      #expect(try secrets.list() == ["a", "b"])
      #expect(try other.list() == ["c"])
      #expect(try secrets.get(String.self, for: "c") == nil)
    }
  }

  @Test(arguments: Vault.here) func `names may have any character but NUL`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      let names = ["ä b", "a;b:c", "line\nline", "'quoted\"", "日本", String(repeating: "long", count: 100)]
      for name in names { try secrets.set("of \(name)", for: name) }
      for name in names { #expect(try secrets.get(String.self, for: name) == "of \(name)") }
      #expect(try secrets.list() == names.sorted())
      for name in ["", "a\0b"] {
        #expect(throws: SecretError.unsupportedName) { try secrets.set("", for: name) }
        #expect(throws: SecretError.unsupportedName) { try secrets.key(named: name) }
      }
    }
  }

  @Test(arguments: Vault.here) func `a secret of another type throws and is not told`(_ vault: Vault) throws {
    try vault.withStore { secrets in
      try secrets.set("hunter2", for: "text")
      let error = #expect(throws: SecretError.otherType) { try secrets.get(Token.self, for: "text") }
      #expect("\(try #require(error))".contains("text"))
      #expect(!"\(try #require(error))".contains("hunter2"))
    }
  }

  @Test(arguments: Vault.here) func `a promise is kept or refused, never broken`(_ vault: Vault) throws {
    let kept: [SecretAccess] =
      switch vault {
      case .memory: SecretAccess.allCases
      case .encryptedFile: [.afterFirstUnlock]
      case .kernelKeyring: [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly]
      case .secretService: [.afterFirstUnlock, .whenUnlocked]
      }
    try vault.withStore { secrets in
      for access in SecretAccess.allCases {
        if kept.contains(access) {
          try secrets.set("a", for: access.rawValue, access: access)
        } else {
          #expect(throws: SecretError.unsupportedAccess) { try secrets.set("a", for: access.rawValue, access: access) }
          #expect(throws: SecretError.unsupportedAccess) { try secrets.key(named: access.rawValue, access: access) }
        }
      }
      #expect(try secrets.list() == kept.map(\.rawValue).sorted())
    }
  }
}
