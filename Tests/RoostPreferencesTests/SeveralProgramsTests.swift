#if os(Linux) || os(macOS)
  import Foundation
  import Testing

  @testable import RoostPreferences

  struct SeveralProgramsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ name: String, _ count: Int) throws -> Process {
      // Beside the bundle of tests.
      let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "PreferencesUser")
      return try Process.run(program, arguments: [folder.file.path, name, "\(count)"])
    }

    @Test func `a program that ends by itself has written all`() throws {
      try start("a", 1).waitUntilExit()
      #expect(folder.preferences()[Preferences.Key("a-last", default: "")] == "set before the end")
    }

    @Test func `programs that set different keys at once all win`() throws {
      let names = ["a", "b", "c", "d"]
      let preferences = folder.preferences()
      let programs = try names.map { try start($0, 50) }
      for number in 0..<50 {
        preferences[Preferences.Key("own-\(number)", default: -1)] = number
        try preferences.flush()
      }
      for program in programs { program.waitUntilExit() }
      let all = folder.preferences()
      for name in names + ["own"] {
        #expect((0..<50).allSatisfy { all[Preferences.Key("\(name)-\($0)", default: -1)] == $0 })
      }
      #expect(all.problems.isEmpty)
    }
  }
#endif
