import FlightsModel
import Foundation
import Synchronization

/// A line at the bottom of the terminal that says how far an import has come.
///
/// Where the output goes to something else, such as a file, nothing is written.
final class ProgressBar: Sendable {
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private let lastShown = Mutex(ContinuousClock.now)

  func show(_ progress: ImportProgress) {
    guard isTerminal else { return }
    // Ten times a second is as much as anyone can read.
    let isDue = lastShown.withLock { last in
      guard last.duration(to: .now) >= .milliseconds(100) else { return false }
      last = .now
      return true
    }
    if isDue { write(progress.line()) }
  }

  func clear() {
    if isTerminal { write("") }
  }

  /// Replaces the line the cursor is on.
  private func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\r\u{1B}[K\(line)".utf8))
  }
}
