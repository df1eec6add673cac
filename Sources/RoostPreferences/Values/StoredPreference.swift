import Foundation

/// What is kept for a key: the value as JSON, its size, and the value as it was last read.
struct StoredPreference: Sendable {
  let json: JSONValue
  let size: Int
  private var decoded: (any Sendable)?

  init(_ json: JSONValue) { self.init(json, size: (try? JSONEncoder().encode(json).count) ?? 0) }

  private init(_ json: JSONValue, size: Int) { (self.json, self.size) = (json, size) }

  /// A value that is about to be kept.
  init(encoding value: some Encodable & Sendable) throws {
    let bytes = try JSONEncoder().encode(value)
    // Through text and back, so that it is equal to what is read again.
    self.init(try JSONDecoder().decode(JSONValue.self, from: bytes), size: bytes.count)
    decoded = Box(value: value)
  }

  /// The value if it was read as this type before.
  func known<Value: Sendable>(as type: Value.Type) -> Value? { (decoded as? Box<Value>)?.value }

  mutating func remember(_ value: some Sendable) { decoded = Box(value: value) }

  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(json))
  }

  /// A cast to an optional type would take any nil for it.
  private struct Box<Value: Sendable>: Sendable {
    let value: Value
  }
}
