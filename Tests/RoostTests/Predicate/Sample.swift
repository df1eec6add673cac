import Foundation

/// A type with values worth asking about: few, so that they meet, and the extremes among them.
protocol Sample: Codable, Equatable, Sendable {
  static func sample(_ random: inout SeededRandom) -> Self
}

extension Optional where Wrapped: Sample {
  static func sample(_ random: inout SeededRandom) -> Wrapped? { random.once(in: 3) ? nil : Wrapped.sample(&random) }
}

extension Sample where Self: FixedWidthInteger {
  static func sample(_ random: inout SeededRandom) -> Self {
    let values: [Self] = [.min, .min + 1, 0, 1, 2, 100, .max / 2, .max / 2 + 1, .max - 1, .max]
    return random.pick(values)
  }
}

extension Int: Sample {}
extension Int8: Sample {}
extension Int16: Sample {}
extension Int32: Sample {}
extension Int64: Sample {}
extension UInt: Sample {}
extension UInt8: Sample {}
extension UInt16: Sample {}
extension UInt32: Sample {}
extension UInt64: Sample {}

extension Bool: Sample {
  static func sample(_ random: inout SeededRandom) -> Bool { random.once(in: 2) }
}

extension Double: Sample {
  static func sample(_ random: inout SeededRandom) -> Double {
    let values: [Double] = [
      0, -0.0, 1, -1, 0.1, 0.1 + 0.2, 0.3, 1e300, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 9_007_199_254_740_992, 1 / 3,
    ]
    return random.pick(values)
  }
}

extension Float: Sample {
  static func sample(_ random: inout SeededRandom) -> Float {
    random.pick([0, 1, -1, 0.1, 0.3, 16_777_216, .infinity, -.infinity, .leastNonzeroMagnitude, 1 / 3])
  }
}

extension String: Sample {
  static let pool = [
    "", "a", "A", "b", "B", "e", "\u{E9}", "e\u{301}", "E", "\u{301}", "ab", "aB", "a\r\nb", "\r", "\n", "\r\n", "K",
    "\u{212A}", "k", ";", "\u{37E}", "`", "\u{1FEF}", "K;`", "ß", "ss", "\u{FB01}", "fi", "日本", "🇩🇪", "🇩", "👨‍👩‍👧",
    "👨", "a\0b", "İ", "i", "I", "ı", "\u{C5}", "A\u{30A}", "\u{212B}", "Z", "~", "\u{10FFFF}", "\u{FFFD}", "%",
    "_", "'", "\"",
    "\u{1100}\u{1161}", "\u{AC00}", "\u{1E9B}\u{323}", "q\u{323}\u{307}", "q\u{307}\u{323}", "Ａ", "ｱ", "ア",
  ]

  static func sample(_ random: inout SeededRandom) -> String {
    random.once(in: 3) ? random.pick(pool) + random.pick(pool) : random.pick(pool)
  }
}

extension Date: Sample {
  static func sample(_ random: inout SeededRandom) -> Date {
    random.pick([
      Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 0.1), .distantPast, .distantFuture,
      Date(timeIntervalSinceReferenceDate: 700_000_000.123456789), Date(timeIntervalSinceReferenceDate: -1e-9),
    ])
  }
}

extension Data: Sample {
  static func sample(_ random: inout SeededRandom) -> Data {
    random.pick([Data(), Data([0]), Data([0, 1]), Data([255]), Data("a".utf8), Data(repeating: 7, count: 100)])
  }
}

extension UUID: Sample {
  static func sample(_ random: inout SeededRandom) -> UUID {
    let first: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
    return UUID(
      uuid: (random.pick(first), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, random.pick(first)))
  }
}

extension URL: Sample {
  static func sample(_ random: inout SeededRandom) -> URL {
    URL(string: random.pick(["https://a.org", "https://a.org/", "https://a.org/b?c=%20#d", "file:///tmp/é", "x:y"]))!
  }
}

extension Decimal: Sample {
  static func sample(_ random: inout SeededRandom) -> Decimal {
    Decimal(
      string: random.pick([
        "0", "1", "-1", "10", "9", "0.1", "0.3", "-0.25", "99999999999999999999999999999999999999", "1e100", "1e-100",
        "0.00000000000000000000000000000000000001", "123456789.987654321", "-1e50",
      ]))!
  }
}

extension Level: Sample {
  static func sample(_ random: inout SeededRandom) -> Level { random.pick([.low, .middle, .high]) }
}

extension Standing: Sample {
  static func sample(_ random: inout SeededRandom) -> Standing { random.pick(allCases) }
}

extension Kind: Sample {
  static func sample(_ random: inout SeededRandom) -> Kind { random.pick([.plain, .special, .other]) }
}

extension Place: Sample {
  static func sample(_ random: inout SeededRandom) -> Place {
    Place(city: random.pick(["", "é", "e\u{301}", "Rome"]), code: random.pick([0, -0.0, 0.1, 1e300]))
  }
}
