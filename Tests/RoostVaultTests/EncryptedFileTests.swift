#if Vault
  import Foundation
  import Testing

  @testable import RoostVault

  struct EncryptedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var mode: Int? {
      try? FileManager.default.attributesOfItem(atPath: folder.secrets.path)[.posixPermissions] as? Int
    }

    @Test func `another program with the passphrase reads what one wrote`() throws {
      try SecretStore.file(folder.secrets, "horse").set("hunter2", for: "password")
      #expect(try SecretStore.file(folder.secrets, "horse").get(String.self, for: "password") == "hunter2")
    }

    @Test func `another passphrase opens nothing and changes nothing`() throws {
      let secrets = SecretStore.file(folder.secrets, "horse")
      try secrets.set("hunter2", for: "password")
      let other = SecretStore.file(folder.secrets, "zebra")
      #expect(throws: SecretError.wrongKey) { try other.get(String.self, for: "password") }
      #expect(throws: SecretError.wrongKey) { try other.set("a", for: "b") }
      #expect(throws: SecretError.wrongKey) { try other.key(named: "notes") }
      #expect(try secrets.list() == ["password"])
    }

    @Test func `the file is for its owner alone and shows neither names nor secrets`() throws {
      try SecretStore.file(folder.secrets, "horse").set("hunter2", for: "password")
      let bytes = try Data(contentsOf: folder.secrets)
      #expect(mode == 0o600)
      for text in ["hunter2", "password", "roost.test", "horse"] { #expect(bytes.range(of: Data(text.utf8)) == nil) }
    }

    @Test func `each write is encrypted anew`() throws {
      let secrets = SecretStore.file(folder.secrets, "horse")
      try secrets.set("a", for: "text")
      let former = try Data(contentsOf: folder.secrets)
      try secrets.set("b", for: "text")
      try secrets.set("a", for: "text")
      #expect(try Data(contentsOf: folder.secrets) != former)
    }

    @Test func `a file that has one other bit is refused`() throws {
      let secrets = SecretStore.file(folder.secrets, "horse")
      try secrets.set("hunter2", for: "password")
      let bytes = try Data(contentsOf: folder.secrets)
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1 << (index % 8)
        try write(changed)
        // Not with a key that was made before, as the file says how it is made.
        let error = #expect(throws: SecretError.self) {
          try SecretStore.file(folder.secrets, "horse").get(String.self, for: "password")
        }
        #expect(error == .wrongKey || error == .damaged)
      }
    }

    @Test func `a file that is cut off is refused`() throws {
      try SecretStore.file(folder.secrets, "horse").set("hunter2", for: "password")
      let bytes = try Data(contentsOf: folder.secrets)
      for count in bytes.indices {
        try write(bytes.prefix(count))
        let error = #expect(throws: SecretError.self) { try SecretStore.file(folder.secrets, "horse").list() }
        #expect(error == .wrongKey || error == .damaged)
      }
    }

    @Test func `a file or folder that others may change is refused`() throws {
      let secrets = SecretStore.file(folder.secrets, "horse")
      try secrets.set("a", for: "text")
      for mode in [0o640, 0o604, 0o620, 0o602] {
        try setMode(mode, of: folder.secrets)
        #expect(throws: SecretError.insecure) { try secrets.get(String.self, for: "text") }
        #expect(throws: SecretError.insecure) { try secrets.set("b", for: "text") }
      }
      try setMode(0o600, of: folder.secrets)
      try setMode(0o777, of: folder.url)
      #expect(throws: SecretError.insecure) { try secrets.get(String.self, for: "text") }
      #expect(throws: SecretError.insecure) { try secrets.set("b", for: "text") }
      try setMode(0o1777, of: folder.url)
      #expect(throws: SecretError.insecure) { try secrets.key(named: "notes") }
      try setMode(0o700, of: folder.url)
      #expect(try secrets.get(String.self, for: "text") == "a")
    }

    @Test func `a symbolic link is refused`() throws {
      try SecretStore.file(folder.secrets, "horse").set("a", for: "text")
      let link = folder.url.appending(path: "link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.secrets)
      #expect(throws: SecretError.insecure) { try SecretStore.file(link, "horse").get(String.self, for: "text") }
    }

    @Test func `a write that was cut short before leaves nothing behind`() throws {
      let secrets = SecretStore.file(folder.secrets, "horse")
      try Data("half".utf8).write(to: folder.url.appending(path: "secrets.new"))
      try secrets.set("a", for: "text")
      #expect(try secrets.get(String.self, for: "text") == "a")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["secrets", "secrets.lock"])
    }

    @Test func `a folder that is not there is made for its owner alone`() throws {
      let url = folder.url.appending(path: "deeper/secrets")
      try SecretStore.file(url, "horse").set("a", for: "text")
      let made = url.deletingLastPathComponent().path
      #expect(try FileManager.default.attributesOfItem(atPath: made)[.posixPermissions] as? Int == 0o700)
    }

    @Test func `who only looks makes no file`() throws {
      let secrets = SecretStore.file(folder.secrets, "horse")
      #expect(try secrets.get(String.self, for: "text") == nil)
      #expect(try !secrets.remove("text"))
      #expect(mode == nil)
    }

    private func write(_ bytes: Data) throws {
      try bytes.write(to: folder.secrets)
      try setMode(0o600, of: folder.secrets)
    }

    private func setMode(_ mode: Int, of url: URL) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }
  }
#endif
