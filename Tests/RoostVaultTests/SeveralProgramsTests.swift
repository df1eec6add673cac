#if Vault && os(Linux)
  import Foundation
  import Testing

  @testable import RoostVault

  struct SeveralProgramsTests {
    private static let environment = ["PASSPHRASE": "correct horse"]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ arguments: String...) throws -> Programs.Running {
      try Programs.start(Programs.user, [folder.secrets.path] + arguments, Self.environment)
    }

    @Test func `programs that ask a file for a key at once get one`() throws {
      let programs = try (0..<4).map { _ in try start("key", "notes") }
      let keys = try programs.flatMap { try $0.lines() }
      #expect(keys.count == 4)
      #expect(Set(keys).count == 1)
      #expect(keys.first.flatMap { Data(base64Encoded: $0) }?.count == 32)
    }

    @Test func `what programs set at once is all there`() throws {
      let names = (0..<3).map { program in (0..<20).map { "\(program)-\($0)" } }
      let programs = try names.map {
        try Programs.start(Programs.user, [folder.secrets.path, "set"] + $0, Self.environment)
      }
      for program in programs { #expect(try program.lines() == []) }
      var secrets = SecretStore.file(at: folder.secrets, key: .passphrase(Secret("correct horse")))
      secrets.service = "roost.test"
      #expect(try secrets.list() == names.joined().sorted())
      #expect(try secrets.get(String.self, for: "2-19") == "of 2-19")
    }
  }
#endif
