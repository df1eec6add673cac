import Foundation
import Roost

/// Rows of text under column names.
public struct ResultTable: Sendable, Equatable {
  public let columns: [String]
  /// nil is the empty text, a date is in UTC.
  public let rows: [[String]]
  /// How the rows were found, where that is shown.
  public let plans: [QueryExplanation]

  init(_ columns: String..., rows: [[Any?]], plans: [QueryExplanation] = []) {
    self.columns = columns
    self.plans = plans
    self.rows = rows.map { row in row.map(Self.text) }
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil: ""
    case let date as Date: date.formatted(dateAndTime)
    case let value?: "\(value)"
    }
  }

  private static let dateAndTime = Date.ISO8601FormatStyle.iso8601
    .year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)

  /// Lines to print, with columns as wide as their longest value and numbers to the right.
  public var lines: [String] {
    let widths = columns.indices.map { column in
      ([columns] + rows).map { $0[column].count }.max() ?? 0
    }
    let isNumber = columns.indices.map { column in
      !rows.isEmpty && rows.allSatisfy { $0[column].isEmpty || Int($0[column]) != nil }
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - cells[column].count)
        return isNumber[column] ? padding + cells[column] : cells[column] + padding
      }
      return padded.joined(separator: "  ").trimmingTrailingSpaces
    }
    return [line(columns), line(widths.map { String(repeating: "─", count: $0) })] + rows.map(line)
  }

  /// The plans as lines to print, of the SQL what fits into one.
  public var planLines: [String] {
    plans.flatMap { plan in
      var lines = "\(plan)".split(separator: "\n").map(String.init)
      // Which columns a fetch reads tells nothing about how it finds the rows.
      if let from = lines[0].range(of: " FROM ") { lines[0] = "SELECT …" + lines[0][from.lowerBound...] }
      return lines.map { $0.count > 114 ? $0.prefix(113) + "…" : $0 }
    }
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
