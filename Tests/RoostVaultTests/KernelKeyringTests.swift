#if os(Linux)
  import Foundation
  import RoostVault
  import Testing

  @Suite(.enabled(if: Vault.kernelKeyring.isHere, "the kernel refuses its keyring here, as containers do"))
  struct KernelKeyringTests {
    @Test func `programs of a session share its secrets`() throws {
      let name = UUID().uuidString
      #expect(try Programs.output(Programs.user, ["keyring", "set", name]) == [])
      var secrets = SecretStore.kernelKeyring
      secrets.service = "roost.test"
      defer { _ = try? secrets.remove(name) }
      #expect(try secrets.get(String.self, for: name) == "of \(name)")
      #expect(try Programs.output(Programs.user, ["keyring", "get", name]) == ["of \(name)"])
    }

    @Test func `threads of a program share its secrets`() throws {
      // Not inferred, as all that throws is in a macro.
      try Vault.kernelKeyring.withStore { (secrets) throws in
        DispatchQueue.concurrentPerform(iterations: 8) { number in
          _ = try? secrets.set("\(number)", for: "\(number)")
        }
        #expect(try secrets.list() == (0..<8).map { "\($0)" })
      }
    }

    @Test func `a secret that the kernel does not take is refused before it is tried`() throws {
      try Vault.kernelKeyring.withStore { secrets in
        #expect(throws: SecretError.tooLarge) { try secrets.set(Data(count: 40_000), for: "large") }
        #expect(throws: SecretError.tooLarge) { try secrets.set("", for: "empty") }
        #expect(throws: SecretError.unsupportedName) { try secrets.set("a", for: String(repeating: "a", count: 5_000)) }
        try secrets.set(Data(count: 10_000), for: "large")
        #expect(try secrets.get(Data.self, for: "large") == Data(count: 10_000))
      }
    }
  }
#endif
