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

    @Test func `a lock that another user has made is not trusted`() throws {
      let folder = try TemporaryFolder()
      // Whoever is not root cannot give a file away, and root has some that nobody else may write to.
      var path = "/etc/passwd"
      if geteuid() == 0 {
        path = folder.secrets.path
        try Data().write(to: folder.secrets)
        try #require(chown(path, 65_534, 65_534) == 0)
      }
      let error = #expect(throws: SecretError.insecure) { try ProcessLock(path: path).whileHeld {} }
      #expect(error?.message.contains(path) == true)
      #expect(error?.remedy.contains("XDG_RUNTIME_DIR") == true)
    }

    @Test func `programs with and without the variable of the user's folder have one lock`() throws {
      let folder = try TemporaryFolder()
      let path = folder.secrets.deletingLastPathComponent().path
      let expected = ProcessLock.ofUser(in: [path, nil]).path
      #expect(expected == path + "/roost-secrets.lock")
      for folders in [[nil, path], ["", path], ["relative", path], ["/nowhere", path]] {
        #expect(ProcessLock.ofUser(in: folders).path == expected)
      }
      #expect(ProcessLock.ofUser(in: [nil, "/nowhere"]).path.hasSuffix("/roost-secrets-\(geteuid()).lock"))
    }

    @Test func `a lock that cannot be made says where and why`() throws {
      let error = #expect(throws: SecretError.failed) { try ProcessLock(path: "/nowhere/lock").whileHeld {} }
      #expect(error?.message.contains("/nowhere/lock") == true)
    }
  }
#endif
