/// What is wrong with a CSV file, and where.
public struct CSVError: Error, Equatable, CustomStringConvertible {
  public var file: String
  public var line: Int?
  public var column: String?
  public var problem: Problem

  public enum Problem: Equatable, Sendable {
    case cannotOpen(String)
    case cannotRead(String)
    case noHeader
    case noColumn(String, header: [String])
    case fieldCount(expected: Int, found: Int)
    case unclosedQuote
    case textAfterQuote
    case rowTooLong(limit: Int)
    case badValue(String, expected: String)
  }

  init(file: String, line: Int? = nil, column: String? = nil, problem: Problem) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
  }

  public var description: String {
    var place = file
    if let line { place += ", line \(line)" }
    if let column { place += ", column \(column)" }
    return "\(place): \(problem)"
  }
}

extension CSVError.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let path): "there is no readable file at \(path)."
    case .cannotRead(let reason): "reading stopped: \(reason)."
    case .noHeader: "the file is empty; its first row must name the columns."
    case .noColumn(let name, let header): "there is no column \(name), only \(header.joined(separator: ", "))."
    case .fieldCount(let expected, let found): "the row has \(found) fields, the header \(expected)."
    case .unclosedQuote: "a quoted field that starts here is never closed."
    case .textAfterQuote: "a closing quote must be followed by a comma or the end of the line."
    case .rowTooLong(let limit): "the row is longer than \(limit) bytes. Is a quote missing?"
    case .badValue(let text, let expected): "\"\(text)\" is not \(expected)."
    }
  }
}
