import Foundation

/// How far an import has come.
public struct ImportProgress: Sendable {
  /// The file that is being read.
  public var file: String
  /// Rows of all files so far.
  public var rows: Int
  /// The part of the work that is done, from 0 to 1.
  public var fraction: Double
  public var elapsed: Duration

  public init(file: String, rows: Int, fraction: Double, elapsed: Duration) {
    self.file = file
    self.rows = rows
    self.fraction = fraction
    self.elapsed = elapsed
  }

  public var rowsPerSecond: Int {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Int(Double(rows) / seconds) : 0
  }

  /// How long the rest takes if it goes on like this; nil while too little is done to tell.
  public var remaining: Duration? {
    fraction > 0.02 ? elapsed * ((1 - fraction) / fraction) : nil
  }

  /// One line of text, such as `flights.csv ███████▌       48 % · 161,000 rows · 98,000 rows/s · 2 s left`.
  public func line(barWidth: Int = 30) -> String {
    let eighths = Int((min(max(fraction, 0), 1) * Double(barWidth * 8)).rounded(.down))
    var bar = String(repeating: "█", count: eighths / 8)
    if eighths % 8 > 0 { bar.append(Self.partialBlocks[eighths % 8 - 1]) }
    bar += String(repeating: " ", count: barWidth - bar.count)
    var line = "\(file.padding(toLength: 12, withPad: " ", startingAt: 0)) \(bar) \(Int(fraction * 100)) %"
    line += " · \(rows.grouped) rows · \(rowsPerSecond.grouped) rows/s"
    if let remaining { line += " · \(Int((remaining / .seconds(1)).rounded(.up))) s left" }
    return line
  }

  private static let partialBlocks: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}

/// Counts an import's progress over all of its files, by their bytes: how many rows they have is not known before.
final class ProgressMeter {
  private let report: @Sendable (ImportProgress) -> Void
  private let start = ContinuousClock.now
  private var sizes: [URL: Int] = [:]
  private var bytesOfFinishedFiles = 0
  private var rowsOfFinishedFiles = 0

  init(data: FlightsData, report: @escaping @Sendable (ImportProgress) -> Void) throws {
    self.report = report
    for table in FlightsData.Table.allCases { sizes[data.file(table)] = try data.size(of: table) }
  }

  /// `rows` of the file are read, which took it so many bytes; it is done at `limit` rows at the latest.
  func advance(to file: URL, _ bytes: Int, rows: Int, limit: Int) {
    let size = sizes[file] ?? 0
    let fraction = max(Double(bytes) / Double(max(size, 1)), Double(rows) / Double(limit))
    send(file, bytes: Int(fraction * Double(size)), rows: rows)
  }

  func finish(_ file: URL, rows: Int) {
    send(file, bytes: sizes[file] ?? 0, rows: rows)
    bytesOfFinishedFiles += sizes[file] ?? 0
    rowsOfFinishedFiles += rows
  }

  private func send(_ file: URL, bytes: Int, rows: Int) {
    let total = max(sizes.values.reduce(0, +), 1)
    report(
      ImportProgress(
        file: file.lastPathComponent, rows: rowsOfFinishedFiles + rows,
        fraction: Double(bytesOfFinishedFiles + bytes) / Double(total), elapsed: start.duration(to: .now)))
  }
}
