import Foundation

/// A type that a CSV field can be read as.
public protocol CSVValue {
  /// nil when the bytes are no such value.
  init?(csv bytes: Span<UInt8>)
  /// What such a value looks like, for an error message.
  static var csvDescription: String { get }
}

extension CSVReader {
  /// The current row's field in that column.
  public func value<Value: CSVValue>(_ column: CSVColumn, as type: Value.Type = Value.self) throws -> Value {
    guard let value = Value(csv: buffer.span.extracting(fields[column.index].bytes)) else {
      throw error(.badValue(text(of: column.index), expected: Value.csvDescription), line: line, column: column)
    }
    return value
  }

  func text(of field: Int) -> String {
    String(bytes: buffer.span.extracting(fields[field].bytes))
  }
}

/// `NA`, the statisticians' "not available", and the empty field stand for nil.
extension Optional: CSVValue where Wrapped: CSVValue {
  public init?(csv bytes: Span<UInt8>) {
    if bytes.isEmpty || (bytes.count == 2 && bytes[0] == UInt8(ascii: "N") && bytes[1] == UInt8(ascii: "A")) {
      self = .none
    } else if let value = Wrapped(csv: bytes) {
      self = .some(value)
    } else {
      return nil
    }
  }

  public static var csvDescription: String { "\(Wrapped.csvDescription) or NA" }
}

extension String: CSVValue {
  public init?(csv bytes: Span<UInt8>) { self.init(bytes: bytes) }
  public static var csvDescription: String { "text" }

  init(bytes: Span<UInt8>) {
    self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension Int: CSVValue {
  public init?(csv bytes: Span<UInt8>) {
    let isNegative = !bytes.isEmpty && bytes[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard bytes.count > start, let magnitude = Int(digits: bytes, in: start..<bytes.count) else { return nil }
    self = isNegative ? -magnitude : magnitude
  }

  public static var csvDescription: String { "a whole number" }

  /// The number those bytes spell, nil if one is no digit or the number is too large.
  init?(digits bytes: Span<UInt8>, in range: Range<Int>) {
    var value = 0
    for index in range {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = shifted.addingReportingOverflow(Int(digit))
      guard !overflow, !overflow2 else { return nil }
      value = sum
    }
    self = value
  }
}

extension Double: CSVValue {
  public init?(csv bytes: Span<UInt8>) { self.init(String(bytes: bytes)) }
  public static var csvDescription: String { "a number" }
}

/// A time in UTC, such as `2013-01-01T06:00:00Z`.
extension Date: CSVValue {
  public init?(csv bytes: Span<UInt8>) {
    guard bytes.count == 20,
      let year = Int(digits: bytes, in: 0..<4), let month = Int(digits: bytes, in: 5..<7),
      let day = Int(digits: bytes, in: 8..<10), let hour = Int(digits: bytes, in: 11..<13),
      let minute = Int(digits: bytes, in: 14..<16), let second = Int(digits: bytes, in: 17..<19),
      (1...12).contains(month), (1...Self.days(inMonth: month, year: year)).contains(day), hour < 24, minute < 60,
      second < 60,
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z")
    else { return nil }
    // Counted by hand: a calendar or formatter would take longer than all the rest of a row.
    let seconds = Self.days(toYear: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    self.init(timeIntervalSinceReferenceDate: TimeInterval(seconds))
  }

  public static var csvDescription: String { "a time such as 2013-01-01T06:00:00Z" }

  private static func days(inMonth month: Int, year: Int) -> Int {
    let (nextYear, nextMonth) = month == 12 ? (year + 1, 1) : (year, month + 1)
    return days(toYear: nextYear, month: nextMonth, day: 1) - days(toYear: year, month: month, day: 1)
  }

  /// Days from 2001-01-01 to a day of the Gregorian calendar.
  private static func days(toYear year: Int, month: Int, day: Int) -> Int {
    // With March as the first month, the leap day is a year's last, and months have 31, 30, 31, 30, 31 days in turn.
    let shiftedYear = month > 2 ? year : year - 1
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let leapDays = shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
    let daysToReference = 730_791
    return 365 * shiftedYear + leapDays + (153 * shiftedMonth + 2) / 5 + day - 1 - daysToReference
  }
}

/// An enum by its raw value: `extension Plane.Kind: CSVValue {}` is all it takes.
extension RawRepresentable where RawValue: CSVValue, Self: CSVValue & CaseIterable {
  public init?(csv bytes: Span<UInt8>) {
    guard let rawValue = RawValue(csv: bytes) else { return nil }
    self.init(rawValue: rawValue)
  }

  public static var csvDescription: String {
    "one of \(allCases.map { "\($0.rawValue)" }.joined(separator: ", "))"
  }
}
