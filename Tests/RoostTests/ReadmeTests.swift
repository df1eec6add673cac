import EncryptionSupport
import Foundation
import Testing

/// The README shows a program and what it prints: both must be true.
@Suite struct ReadmeTests {
  /// Compiling the tests compiles the program too, so equal texts mean that the README's compiles.
  @Test func programIsTheExample() throws {
    let file = repository.appending(path: "Examples/ReadmeExample/Library.swift")
    let example = try String(contentsOf: file, encoding: .utf8)
    let program = try #require(try blocks(of: "swift").first { $0.contains("@main") })
    #expect(program == example)
  }

  @Test(.readableByOthers) func exampleWorksAsShown() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ReadmeTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    // Twice, as a reader might: titles are unique, so that the second run finds the books of the first.
    for _ in 1...2 {
      let output = try run(products.appending(path: "ReadmeExample"), in: folder)
      #expect(try output == blocks(of: "text").first)
    }

    let command = try #require(try blocks(of: "sh").first { $0.contains("sqlite3 ") })
    let titles = try run(URL(filePath: "/bin/sh"), ["-c", command], in: folder)
    #expect(titles.split(separator: "\n").sorted() == ["Silent Spring", "The Edge of the Sea", "The Sea Around Us"])
  }

  private var repository: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// The folder that the build leaves test bundles and executables in.
  private var products: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }

  /// The README's code blocks in a language.
  private func blocks(of language: String) throws -> [String] {
    let readme = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
    return readme.components(separatedBy: "```\(language)\n").dropFirst().compactMap { rest in
      rest.range(of: "```\n").map { String(rest[..<$0.lowerBound]) }
    }
  }

  /// What a program prints whose home is the folder; a status other than 0 fails the test.
  private func run(_ program: URL, _ arguments: [String] = [], in folder: URL) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["HOME": folder.path]) { $1 }
    process.environment?["XDG_DATA_HOME"] = nil
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(program.lastPathComponent) failed")
    return String(decoding: data, as: UTF8.self)
  }
}
