import Foundation
package import RoostSQL

/// What a migration puts into rows that lack a property.
package enum DescribedDefault: Equatable, Sendable {
  /// The same in all rows.
  case same(SQLValue)
  /// Another value in each row, such as a new UUID.
  case each

  /// A value of a column's own kind.
  package func value(of type: _ColumnType) -> SQLValue {
    if case .same(let value) = self { return value }
    return switch type {
    case .integer: .integer(.random(in: .min ... .max))
    case .real: .real(.random(in: 0..<1))
    case .text: .text(UUID().uuidString)
    case .blob: .blob(Data(UUID().uuidString.utf8))
    }
  }
}

extension DescribedDefault: Codable {
  private enum CodingKeys: String, CodingKey {
    case integer, real, text, blob, each
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let value = try container.decodeIfPresent(Int64.self, forKey: .integer) {
      self = .same(.integer(value))
    } else if let value = try container.decodeIfPresent(Double.self, forKey: .real) {
      self = .same(.real(value))
    } else if let value = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .same(.text(value))
    } else if let value = try container.decodeIfPresent(Data.self, forKey: .blob) {
      self = .same(.blob(value))
    } else {
      self = .each
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .same(.integer(let value)): try container.encode(value, forKey: .integer)
    // JSON has no word for an infinity.
    case .same(.real(let value)) where value.isFinite: try container.encode(value, forKey: .real)
    case .same(.text(let value)): try container.encode(value, forKey: .text)
    case .same(.blob(let value)): try container.encode(value, forKey: .blob)
    case .same, .each: try container.encode(true, forKey: .each)
    }
  }
}
