import Foundation
import SwiftData

/// A question, and the Swift code that answers it.
public struct Answer: Sendable {
  public let question: String
  private let file: String
  private let line: Int
  private let body: @Sendable (ModelContext) throws -> ResultTable

  init(
    _ question: String, file: String = #filePath, line: Int = #line,
    body: @escaping @Sendable (ModelContext) throws -> ResultTable
  ) {
    self.question = question
    self.file = file
    self.line = line
    self.body = body
  }

  /// Finds the answer, and whatever else the body does, such as saving a change.
  public func run(in context: ModelContext) throws -> ResultTable {
    try body(context)
  }

  /// The body as it stands in the source file; empty where the source is no longer there.
  ///
  /// Read from the file so that what the demo shows is what it runs.
  public var source: [String] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1)
    guard let head = lines.first else { return [] }
    let indentation = head.prefix { $0 == " " }
    return lines.dropFirst().prefix { $0 != indentation + "}" }.map { String($0.dropFirst(indentation.count + 2)) }
  }
}
