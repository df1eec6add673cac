import Foundation

/// Measurements as a table for people and as JSON for programs.
struct Report {
  var measurements: [Measurement]

  /// One line a measurement, with ratios to the two variants that matter most.
  var table: String {
    let header = ["workload", "variant", "median ms", "min ms", "max ms", "× sqlite-tuned", "× grdb"]
    let rows = measurements.map { measurement in
      [
        measurement.workload,
        measurement.variant,
        Self.number(measurement.median, digits: 1),
        Self.number(measurement.min, digits: 1),
        Self.number(measurement.max, digits: 1),
        ratio(measurement, to: "sqlite-tuned"),
        ratio(measurement, to: "grdb"),
      ]
    }
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    return ([header] + rows).map { Self.line($0, widths) }.joined(separator: "\n")
  }

  /// Writes the measurements where other tools look for them.
  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(measurements).write(to: file)
  }

  private func ratio(_ measurement: Measurement, to variant: String) -> String {
    let reference = measurements.first { $0.workload == measurement.workload && $0.variant == variant }
    guard let reference else { return "–" }
    return Self.number(measurement.median / reference.median, digits: 2)
  }

  private static func number(_ value: Double, digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  /// Names to the left, numbers to the right.
  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    cells.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      return column < 2 ? cell + padding : padding + cell
    }.joined(separator: "  ")
  }
}
