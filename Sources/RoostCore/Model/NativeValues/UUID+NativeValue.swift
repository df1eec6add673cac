public import Foundation
public import RoostSQL

// Kept as its 16 bytes, which SQLite compares as Swift does.
extension UUID: _NativeValue {
  public static var _columnType: _ColumnType { .blob }
  public static var _semantics: _ColumnSemantics { .uuid }
  public static var _placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  public static func _decode(_ value: SQLValue) -> UUID? {
    guard case .blob(let data) = value, data.count == 16 else { return nil }
    var uuid = _placeholder.uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: data) }
    return UUID(uuid: uuid)
  }

  public func _encode() throws -> SQLValue { .blob(withUnsafeBytes(of: uuid) { Data($0) }) }
}
