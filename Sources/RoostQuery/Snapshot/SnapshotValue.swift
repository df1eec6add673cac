import Foundation
import RoostCore
import RoostSQL

/// What a snapshot holds of one property: what the store would hold.
///
/// That makes a snapshot of any model sendable, hashable and codable, whatever its attributes' types are: a class that
/// is `Codable` arrives on the other side as an instance of its own.
enum SnapshotValue: Hashable, Sendable {
  case attribute(SQLValue)
  case toOne(PersistentIdentifier?)
  case toMany([PersistentIdentifier])
  /// The type refused to encode the value, and why.
  case refused(String)

  /// The identifiers of a relationship.
  var identifiers: [PersistentIdentifier] {
    switch self {
    case .toOne(let identifier): identifier.map { [$0] } ?? []
    case .toMany(let identifiers): identifiers
    case .attribute, .refused: []
    }
  }

  func fits(_ kind: PropertyInfo.Kind) -> Bool {
    switch (self, kind) {
    case (.attribute, .attribute), (.refused, .attribute), (.toOne, .toOne), (.toMany, .toMany): true
    default: false
    }
  }

  func remapped(_ identifiers: [PersistentIdentifier: PersistentIdentifier]) -> SnapshotValue {
    switch self {
    case .toOne(let identifier?): .toOne(identifiers[identifier] ?? identifier)
    case .toMany(let members): .toMany(members.map { identifiers[$0] ?? $0 })
    case .attribute, .toOne(nil), .refused: self
    }
  }
}

extension _AttributeCodec {
  static func snapshotValue(of value: Value) -> SnapshotValue {
    do {
      return .attribute(try encode(value))
    } catch {
      guard !hasOwnCoding, (error as? UnstorableValue)?.isNaN ?? false else {
        return .refused(SwiftDataError.reason(error))
      }
      // The store has none. Here it stays what it is.
      return .attribute(columnType == .text ? .text("NaN") : .real(.nan))
    }
  }

  private static var hasOwnCoding: Bool { [.json, .opaque, .transformed].contains(semantics) }

  static func value(of snapshot: SnapshotValue?) -> Value? {
    if case .attribute(let value) = snapshot { decode(value) } else { nil }
  }

  /// Whether two values are equal, also where equal ones may have different texts, as sets have.
  static func areEqual(_ left: SnapshotValue, _ right: SnapshotValue) -> Bool {
    if left == right { return true }
    guard hasOwnCoding, let left = value(of: left) as? any Equatable, let right = value(of: right) else {
      return false
    }
    return left.isEqual(to: right)
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self).map { $0 == self } ?? false }
}

// Coded with its kind, as nothing else tells what a bare number was.
extension SnapshotValue: Codable {
  private enum Kind: String, CodingKey { case null, integer, real, text, blob, toOne, toMany }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    guard let kind = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "This is no value of a DefaultSnapshot."))
    }
    switch kind {
    case .null: self = .attribute(.null)
    case .integer: self = .attribute(.integer(try container.decode(Int64.self, forKey: kind)))
    case .real: self = .attribute(.real(try Self.decodeReal(container)))
    case .text: self = .attribute(.text(try container.decode(String.self, forKey: kind)))
    case .blob: self = .attribute(.blob(try container.decode(Data.self, forKey: kind)))
    case .toOne: self = .toOne(try container.decodeIfPresent(PersistentIdentifier.self, forKey: kind))
    case .toMany: self = .toMany(try container.decode([PersistentIdentifier].self, forKey: kind))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .attribute(.null): try container.encodeNil(forKey: .null)
    case .attribute(.integer(let value)): try container.encode(value, forKey: .integer)
    // JSON has no infinity.
    case .attribute(.real(let value)) where !value.isFinite: try container.encode("\(value)", forKey: .real)
    case .attribute(.real(let value)): try container.encode(value, forKey: .real)
    case .attribute(.text(let value)): try container.encode(value, forKey: .text)
    case .attribute(.blob(let value)): try container.encode(value, forKey: .blob)
    case .toOne(let identifier): try container.encode(identifier, forKey: .toOne)
    case .toMany(let identifiers): try container.encode(identifiers, forKey: .toMany)
    case .refused(let reason):
      throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: reason))
    }
  }

  private static func decodeReal(_ container: KeyedDecodingContainer<Kind>) throws -> Double {
    if let number = try? container.decode(Double.self, forKey: .real) { return number }
    guard let number = Double(try container.decode(String.self, forKey: .real)) else {
      throw DecodingError.dataCorruptedError(forKey: .real, in: container, debugDescription: "This is no number.")
    }
    return number
  }
}
