import Foundation

/// What a variant has read or written, in a form that can be compared: wrong work must not look like fast work.
///
/// The order of the rows does not matter, their number and every byte does. The title holds the row's number, so that
/// identifiers need no place here: not every variant has them as integers.
struct Checksum: Equatable {
  private(set) var count = 0
  private var sum: UInt64 = 0

  mutating func add(title: String, body: String, date: Date) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in title.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in body.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ date.timeIntervalSinceReferenceDate.bitPattern) &* 0x100_0000_01B3
    count += 1
    sum &+= hash
  }
}

extension Checksum {
  init(_ rows: some Sequence<SampleRow>) {
    for row in rows {
      add(title: row.title, body: row.body, date: row.date)
    }
  }

  /// Throws when the work that was timed has another result than the workload asks for.
  func check(against expected: Checksum, _ variant: String) throws {
    guard self == expected else {
      throw BenchmarkError("\(variant) has \(count) rows, expected \(expected.count), or their content differs")
    }
  }
}

/// What a reading variant does with each value within the time: the least that makes a value be there.
struct Touch {
  private(set) var sum: UInt64 = 0

  @inline(__always)
  mutating func add(title: String, body: String, date: Date) {
    sum &+= UInt64(title.utf8.count) &+ UInt64(body.utf8.count)
    sum &+= date.timeIntervalSinceReferenceDate.bitPattern
  }
}

extension Touch {
  init(_ rows: some Sequence<SampleRow>) {
    for row in rows {
      add(title: row.title, body: row.body, date: row.date)
    }
  }

  /// Throws when the work that was timed has touched other values than the workload asks for.
  func check(against expected: Touch, _ variant: String) throws {
    guard sum == expected.sum else { throw BenchmarkError("\(variant) has touched other values than expected") }
  }
}

/// Why a measurement is worth nothing.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
