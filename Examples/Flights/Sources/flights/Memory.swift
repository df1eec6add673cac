import Foundation

enum Memory {
  /// The most memory the process had at any time, in megabytes; nil where the system does not say it in a file.
  static var peak: Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split { !$0.isNumber }.first
    return kilobytes.flatMap { Int($0) }.map { $0 / 1_000 }
  }
}
