#if !os(Windows)
  import Foundation
  import Testing

  @testable import RoostVault

  struct ProcessLockTests {
    @Test func `a lock that another holds for too long throws`() throws {
      let folder = try TemporaryFolder()
      let lock = ProcessLock(path: folder.secrets.path, patience: .milliseconds(1))
      try lock.whileHeld {
        #expect(throws: SecretError.busy) { try lock.whileHeld {} }
      }
      try lock.whileHeld {}
    }

    @Test func `a lock that cannot be made says where and why`() throws {
      let error = #expect(throws: SecretError.failed) { try ProcessLock(path: "/nowhere/lock").whileHeld {} }
      #expect(error?.message.contains("/nowhere/lock") == true)
    }
  }
#endif
