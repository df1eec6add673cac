import Foundation
import Testing

@testable import RoostVault

struct SecretTests {
  private struct Account {
    let name = "Ada"
    let password = Secret("hunter2")
  }

  @Test func `a secret prints as what it is, never as its bytes`() {
    let account = Account()
    var dumped = ""
    dump(account, to: &dumped)
    for text in [
      "\(account.password)", String(reflecting: account.password), String(describing: account), "\([account.password])",
      String(reflecting: account), dumped, account.password.debugDescription, "\(account.password as Any)",
    ] {
      #expect(text.contains("<secret>"))
      #expect(!text.contains("hunter2"))
      // The bytes as numbers. An address, which private types print with their name, may have any digits.
      #expect(!text.contains(/104\D+117\D+110/))
    }
    #expect(Mirror(reflecting: account.password).children.isEmpty)
  }

  @Test func `secrets are equal by their bytes`() {
    #expect(Secret("abc") == Secret([97, 98, 99]))
    #expect(Secret("abc") != Secret("abd"))
    #expect(Secret("abc") != Secret("ab"))
    #expect(Secret("") == Secret([UInt8]()))
  }

  @Test func `random secrets differ and have the bytes that were asked for`() {
    let secrets = (0..<20).map { _ in Secret.random(count: 16) }
    #expect(secrets.allSatisfy { $0.count == 16 })
    #expect(Set(secrets.map { $0.withUnsafeBytes { Data($0) } }).count == 20)
  }

  @Test func `a secret that is no UTF-8 has no text`() {
    #expect(Secret([0xFF, 0xFE]).string == nil)
    #expect(Secret("naïve").string == "naïve")
  }

  #if os(Linux)
    @Test func `the bytes of a secret are overwritten when the last copy is gone`() throws {
      let count = 4_096
      let place = try copiedAndDropped(count)
      // Most of freed memory is left as it was; other tests may have been given it, and have any bytes in it.
      let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/mem"))
      try memory.seek(toOffset: UInt64(place))
      // The system may have the page back: then nobody reads it.
      guard let left = try? memory.read(upToCount: count) else { return }
      #expect(left.count { $0 == 0xA7 } < count / 8)
    }

    private func copiedAndDropped(_ count: Int) throws -> UInt {
      let secret = Secret(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 0xA7) }
      let copy = secret
      return copy.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
  #endif
}
