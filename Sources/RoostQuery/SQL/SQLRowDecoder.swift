import RoostCore
import RoostSQL

/// Decodes a value from a row: each key is a column.
struct SQLRowDecoder: Decoder {
  let row: SQLRow
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Columns(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unsupported("a list") }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { FirstColumn(row: row) }

  fileprivate static func unsupported(_ what: String) -> SwiftDataError {
    SwiftDataError(
      .invalidSQL, "A row cannot be decoded as \(what).", remedy: "Decode a type whose coding keys name the columns.")
  }

  private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: SQLRow
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { row.columnNames.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { row.columns.places[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { row.values[try row.place(of: key.stringValue)] == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try row[key.stringValue, as: type]
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      throw unsupported("a value with a nested container")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw unsupported("a value with a nested container")
    }

    func superDecoder() throws -> any Decoder { SQLRowDecoder(row: row) }

    func superDecoder(forKey key: Key) throws -> any Decoder { SQLRowDecoder(row: row) }
  }

  private struct FirstColumn: SingleValueDecodingContainer {
    let row: SQLRow
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { row.values.first == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try row[0, as: type] }
  }
}
