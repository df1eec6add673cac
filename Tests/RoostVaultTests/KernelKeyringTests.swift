#if os(Linux)
  import Foundation
  import RoostVault
  import Testing

  @Suite(.enabled(if: Vault.kernelKeyring.isHere, "the kernel refuses its keyring here, as containers do"))
  struct KernelKeyringTests {
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
