import Foundation

/// The body of a declaration as it stands in the source file.
///
/// Read from the file so that what the demo shows is what it runs.
public struct SourceExcerpt: Sendable {
  private let file: String
  private let line: Int

  /// `line` is the declaration's first, and its only one before the body.
  init(file: String = #filePath, line: Int) {
    self.file = file
    self.line = line
  }

  /// The body's lines; none where the source is no longer there.
  public var lines: [String] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1)
    guard let head = lines.first else { return [] }
    let indentation = head.prefix { $0 == " " }
    return lines.dropFirst().prefix { $0 != indentation + "}" }.map { String($0.dropFirst(indentation.count + 2)) }
  }
}
