import Foundation
import Synchronization

/// A program of this package that runs beside the test.
final class Program: Sendable {
  private let process = Process()
  private let pipe = Pipe()
  private let queue: DispatchQueue
  /// Whether it is not to be started any more.
  private let isEnded = Mutex(false)

  init(_ name: String, _ arguments: [String]) {
    queue = DispatchQueue(label: name)
    // Beside the bundle of tests.
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
    process.arguments = arguments
    process.standardOutput = pipe
  }

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - lines: after how many lines it is killed; nil for never.
  ///   - onLine: told each line.
  /// - Returns: whether it was killed; false if it ended by itself, and well.
  /// - Throws: ``Failed`` for one that ended otherwise.
  @discardableResult
  func run(killedAfter lines: Int? = nil, onLine: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Bool
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.runHere(killedAfter: lines, onLine) })
      }
    }
  }

  private func runHere(killedAfter lines: Int?, _ onLine: (String) -> Void) throws -> Bool {
    let starts = try isEnded.withLock { isEnded in
      if !isEnded { try process.run() }
      return !isEnded
    }
    if !starts { return true }
    var (said, rest): (Int, [UInt8]) = (0, [])
    while true {
      let bytes = pipe.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      for byte in bytes {
        guard byte == UInt8(ascii: "\n") else {
          rest.append(byte)
          continue
        }
        said += 1
        if said == lines { kill() }
        onLine(String(decoding: rest, as: UTF8.self))
        rest = []
      }
    }
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL { return true }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failed(name: queue.label, status: process.terminationStatus)
    }
    return false
  }

  /// Ends it at once, or before it starts.
  func kill() { end(SIGKILL) }

  /// Has it end.
  func terminate() { end(SIGTERM) }

  private func end(_ signal: Int32) {
    isEnded.withLock { isEnded in
      isEnded = true
      if process.isRunning { process.send(signal) }
    }
  }

  /// A program ended as it should not.
  struct Failed: Error {
    let name: String
    let status: Int32
  }
}

extension Process {
  fileprivate func send(_ signal: Int32) { kill(processIdentifier, signal) }
}
