import CBenchmarkSQLite
import Foundation

/// How much longer each kind of work takes with a hundred times as many rows.
enum Growth: String, CaseIterable {
  case insert, fetch, refetch
  case lookUp = "look up by identifier"
  case update = "update one by one"
  case delete = "delete one by one"
  case upsert

  static let counts = (few: 10_000, many: 1_000_000)
  /// A tenth more than a hundred times, for indexes that get deeper and caches that do not get larger.
  static let limit = 110.0

  static let rows = SampleRow.make(counts.many)

  /// The best of three tries with each number of rows, as a line a kind of work and who does it.
  static func report(in folder: URL) throws -> String {
    var lines = [line("", "", ["\(counts.few) rows, ms", "\(counts.many) rows, ms", "factor"])]
    for growth in allCases {
      Progress.show("growth: \(growth.rawValue)")
      #if ROOST
        lines.append(try growth.line("roost", in: folder, growth.roostTime))
      #endif
      // Which of it is SQLite's own: a larger log is written twice, and larger files do not fit into the caches.
      lines.append(try growth.line("sqlite-tuned", in: folder, growth.sqliteTime))
    }
    Progress.clear()
    return lines.joined(separator: "\n")
  }

  private func line(
    _ variant: String, in folder: URL, _ time: @escaping ([SampleRow], URL) throws -> Duration
  ) throws -> String {
    let times = try [Self.counts.few, Self.counts.many].map { count in
      let rows = Array(Self.rows.prefix(count))
      let round = InsertWorkload.freshFile(in: folder.appending(path: "growth")) { try time(rows, $0) }
      let tries = try (0..<3).map { _ in try round() / .milliseconds(1) }
      return tries.min() ?? 0
    }
    let factor = times[1] / times[0]
    let cells = [String(format: "%.1f", times[0]), String(format: "%.1f", times[1]), String(format: "%.0f", factor)]
    return Self.line(rawValue, variant, cells) + (factor > Self.limit ? "  more than \(Int(Self.limit))" : "")
  }

  /// Names to the left, numbers to the right.
  private static func line(_ name: String, _ variant: String, _ cells: [String]) -> String {
    name.padding(toLength: 23, withPad: " ", startingAt: 0) + variant.padding(toLength: 12, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(18 - $0.count, 1)) + $0 }.joined()
  }

  var isReading: Bool { [.fetch, .refetch, .lookUp].contains(self) }

  static func later(_ date: Date) -> Date { date.addingTimeInterval(1) }

  static func later(_ rows: [SampleRow]) -> [SampleRow] {
    rows.map { SampleRow(id: $0.id, title: $0.title, body: $0.body, date: later($0.date)) }
  }

  /// In which order rows are looked up.
  static func shuffled<Identifier>(_ identifiers: [Identifier]) -> [Identifier] {
    var random = SplitMix64(seed: 7)
    return identifiers.shuffled(using: &random)
  }

  /// Compares what is in the file afterwards, and what was read, with what must be.
  func check(_ file: URL, _ table: String, _ touch: Touch, _ rows: [SampleRow]) throws {
    if isReading { try touch.check(against: Touch(rows), rawValue) }
    let found = try Database(file, tuned: true).checksum(of: "SELECT title, body, date FROM \(table)")
    let expected =
      switch self {
      case .insert, .fetch, .refetch, .lookUp: Checksum(rows)
      case .update, .upsert: Checksum(Self.later(rows))
      case .delete: Checksum()
      }
    try found.check(against: expected, "\(rawValue), \(table)")
  }
}
