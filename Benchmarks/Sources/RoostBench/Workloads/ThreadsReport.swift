import CBenchmarkSQLite
import Foundation
import GRDB

/// One writer and three readers over one file, each with a fixed amount of work, beside each other.
///
/// The writer adds 100 rows a transaction; a reader fetches 1,000 rows at a time by a range of their numbers.
enum ThreadsReport {
  static let readerCount = 3
  static let fetchCount = 500
  static let rowsAFetch = 1_000
  static let saveCount = 2_000
  static let rowsASave = 100
  /// Those that readers read are there from the beginning.
  static let firstCount = 100_000
  static let rows = SampleRow.make(firstCount + saveCount * rowsASave)
  static let checksum = Checksum(rows)

  static let schema = """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, number INTEGER NOT NULL UNIQUE, title TEXT NOT NULL, body TEXT NOT NULL,
      date REAL NOT NULL)
    """
  static let insertion = "INSERT INTO entry (number, title, body, date) VALUES (?, ?, ?, ?)"
  static let query = "SELECT number, title, body, date FROM entry WHERE number >= ? AND number < ?"

  /// What a library does: makes ready a file with the first rows, then a writer and readers of it.
  struct Variant {
    let name: String
    let prepare: (URL) throws -> (writer: Work, reader: @Sendable (Int) throws -> () throws -> Int)
  }

  typealias Work = @Sendable () throws -> () throws -> Int

  static func table(in folder: URL) throws -> String {
    var variants = [Variant(name: "sqlite-tuned", prepare: sqliteTuned), Variant(name: "grdb", prepare: grdb)]
    #if ROOST
      variants.insert(Variant(name: "roost", prepare: roost), at: 0)
    #endif
    var rates = Array(repeating: (written: [Double](), read: [Double]()), count: variants.count)
    for round in 0...roundCount {
      for position in variants.indices {
        let index = (position + round) % variants.count
        let sides = try measure(variants[index], in: folder.appending(path: "threads"))
        guard round > 0 else { continue }
        rates[index].written.append(sides[0].rowsPerSecond)
        rates[index].read.append(sides.dropFirst().reduce(0) { $0 + $1.rowsPerSecond })
      }
      Progress.show("threads: round \(round) of \(roundCount)")
    }
    Progress.clear()
    return text(variants.map(\.name), rates.map { (median($0.written), median($0.read)) })
  }

  private static let roundCount = 5

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func text(_ names: [String], _ rates: [(written: Double, read: Double)]) -> String {
    let reference = names.firstIndex(of: "sqlite-tuned") ?? 0
    let lines = zip(names, rates).map { name, rate in
      name.padding(toLength: 14, withPad: " ", startingAt: 0)
        + String(
          format: "%14.0f %6.2f %14.0f %6.2f", rate.written, rate.written / rates[reference].written, rate.read,
          rate.read / rates[reference].read)
    }
    let header = "                 written, 1/s    × C      read, 1/s    × C"
    return ([header] + lines).joined(separator: "\n")
  }

  private static func measure(_ variant: Variant, in folder: URL) throws -> [Side] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "rows.sqlite")
    let (writer, reader) = try variant.prepare(file)
    let sides = try runBesideEachOther([writer] + (0..<readerCount).map { number in { try reader(number) } })
    let table = variant.name == "roost" ? "NumberedLine" : "entry"
    let found = try Database(file, tuned: true).checksum(of: "SELECT title, body, date FROM \(table)")
    try found.check(against: checksum, "threads, \(variant.name)")
    return sides
  }

  /// Fetches by ranges in an order of the reader's own, and touches every value.
  static func read(_ reader: Int, _ fetch: (Range<Int>, inout Touch) throws -> Int) throws -> Int {
    var random = SplitMix64(seed: UInt64(reader))
    var (count, touch, expected) = (0, Touch(), UInt64(0))
    for _ in 0..<fetchCount {
      let first = Int.random(in: 1...firstCount - rowsAFetch + 1, using: &random)
      count += try fetch(first..<first + rowsAFetch, &touch)
      expected &+= touchSums[first - 1 + rowsAFetch] &- touchSums[first - 1]
    }
    guard count == fetchCount * rowsAFetch, touch.sum == expected else {
      throw BenchmarkError("threads: other rows were read than expected")
    }
    return count
  }

  /// What touching the rows before each one sums up to.
  private static let touchSums: [UInt64] = {
    var touch = Touch()
    return [0]
      + rows.prefix(firstCount).map { row in
        touch.add(title: row.title, body: row.body, date: row.date)
        return touch.sum
      }
  }()

  /// The rows that the writer adds, a transaction at a time.
  static func write(_ save: (ArraySlice<SampleRow>) throws -> Void) throws -> Int {
    for first in stride(from: firstCount, to: rows.count, by: rowsASave) { try save(rows[first..<first + rowsASave]) }
    return rows.count - firstCount
  }
}
