import Foundation

/// A program of this package that has run.
struct Program {
  let status: Int32
  let lines: [String]
  let errors: String

  /// Runs a program with these environment variables alone, and waits for its end.
  init(_ name: String, _ arguments: [String], _ environment: [String: String]) throws {
    self = try Running(name, arguments, environment).end()
  }

  private init(status: Int32, lines: [String], errors: String) {
    self.status = status
    self.lines = lines
    self.errors = errors
  }

  final class Running {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    init(_ name: String, _ arguments: [String], _ environment: [String: String]) throws {
      process.executableURL = Self.products.appending(path: name)
      process.arguments = arguments
      process.environment = environment
      // Where to find Swift's libraries.
      process.environment?["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    func end() throws -> Program {
      // What programs print here fits into a pipe.
      let lines = try output.fileHandleForReading.readToEnd() ?? Data()
      let errors = try errors.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return Program(
        status: process.terminationStatus,
        lines: String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init),
        errors: String(decoding: errors, as: UTF8.self))
    }

    /// The folder that the build leaves test bundles and executables in.
    private static var products: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
  }
}
