import SwiftData

/// A question, and the Swift code that answers it.
public struct Answer: Sendable {
  public let question: String
  private let excerpt: SourceExcerpt
  private let body: @Sendable (ModelContext) throws -> ResultTable

  init(
    _ question: String, file: String = #filePath, line: Int = #line,
    body: @escaping @Sendable (ModelContext) throws -> ResultTable
  ) {
    self.question = question
    excerpt = SourceExcerpt(file: file, line: line)
    self.body = body
  }

  /// Finds the answer, and whatever else the body does, such as saving a change.
  public func run(in context: ModelContext) throws -> ResultTable {
    try body(context)
  }

  /// The body as it stands in the source file; empty where the source is no longer there.
  public var source: [String] { excerpt.lines }
}
