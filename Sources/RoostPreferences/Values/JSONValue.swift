import Foundation

/// A value as the file has it: also one that another version of the program wrote, which must come out as it came in.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case large(UInt64)
  case number(Double)
  /// A number of more digits than a `Double` has, such as a `Decimal` or an integer of 128 bits.
  case precise(Decimal)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .large(value)
    } else if let value = try? container.decode(Double.self) {
      let exact = try? container.decode(Decimal.self)
      self = exact.flatMap { $0 == Decimal(string: value.description) ? nil : .precise($0) } ?? .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .large(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .precise(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue {
  /// Sorted and one a line, so that people can read it and a comparison shows what changed.
  static func document(_ values: [String: JSONValue]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(values) + Data("\n".utf8)
  }

  var hasText: Bool {
    switch self {
    case .text: true
    case .list(let values): values.contains(where: \.hasText)
    case .object(let values): values.values.contains(where: \.hasText)
    default: false
    }
  }
}
