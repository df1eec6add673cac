import Foundation

/// A line on a terminal that the next one replaces. Nothing elsewhere.
enum Progress {
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  static func show(_ text: String) {
    guard isTerminal else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }

  static func clear() {
    show("")
  }
}
