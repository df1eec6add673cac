internal import Foundation
internal import Synchronization

/// A type as a file can keep it: found again where the program has named it, and told by its name where it has not.
struct TypeName: Codable, Hashable {
  /// As a reader wants it: "Optional<String>".
  let name: String
  /// As no other type is called.
  private let mangled: String?

  /// The types that the program has named so far. A file's text is looked up here and never handed to the runtime,
  /// which follows whatever a name says.
  private static let named = Mutex(
    Dictionary(
      types.compactMap { type in _mangledTypeName(type).map { ($0, type) } }, uniquingKeysWith: { first, _ in first }))

  /// Those that every program has.
  private static var types: [any Any.Type] {
    func both<Value>(_ type: Value.Type) -> [any Any.Type] { [type, Value?.self] }
    let integers = both(Int.self) + both(Int8.self) + both(Int16.self) + both(Int32.self) + both(Int64.self)
    let unsigned = both(UInt.self) + both(UInt8.self) + both(UInt16.self) + both(UInt32.self) + both(UInt64.self)
    let values = both(Bool.self) + both(Double.self) + both(Float.self) + both(String.self) + both(Date.self)
    return integers + unsigned + values + both(Data.self) + both(UUID.self) + both(URL.self) + both(Decimal.self)
  }

  init(_ type: any Any.Type) {
    name = _typeName(type, qualified: false)
    mangled = _mangledTypeName(type)
    if let mangled { Self.named.withLock { $0[mangled] = type } }
  }

  /// A name that is no type's of this program.
  init(unknown name: String) {
    self.name = name
    mangled = nil
  }

  /// The type, or `Any` when the program has named none of that name.
  var type: any Any.Type { mangled.flatMap { name in Self.named.withLock { $0[name] } } ?? Any.self }

  /// Modules and enclosing types come and go between versions of a program, so the bare name counts.
  static func == (lhs: TypeName, rhs: TypeName) -> Bool { lhs.name == rhs.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A type kept together with its name, which outlives it.
struct NamedType {
  let name: TypeName
  let type: any Any.Type

  init(_ type: any Any.Type) {
    name = TypeName(type)
    self.type = type
  }

  init(_ name: TypeName) {
    self.name = name
    type = name.type
  }
}
