internal import Synchronization

/// The types of attributes and of their parts, as far as the compiler knew that they are `Codable`.
///
/// In a module whose code is the main actor's by default, so are the conformances of its types. Elsewhere no cast finds
/// them, though values are read and written wherever a context is. So what the macro writes hands them over.
package enum CodableTypes {
  // SAFETY: a metatype and its tables of functions are made once, never change, and may be read by any thread. What the
  // functions do is the type's: a synthesised `init(from:)` or `encode(to:)` touches its value alone, and one that uses
  // the main actor's state must not be written for a value that other contexts read.
  private struct Conformances: @unchecked Sendable {
    let decodable: any Decodable.Type
    let encodable: (any Encodable.Type)?
  }

  private static let known = Mutex<[ObjectIdentifier: Conformances]>([:])

  static func note(_ type: any Codable.Type) {
    let conformances = Conformances(decodable: type, encodable: type)
    known.withLock { $0[ObjectIdentifier(type)] = conformances }
  }

  /// Notes the type of a part, which is met while an example of the whole is decoded.
  static func notePart(_ type: any Decodable.Type) {
    if type is any _NativeValue.Type { return }
    let conformances = Conformances(decodable: type, encodable: type as? any Encodable.Type)
    known.withLock { known in if known[ObjectIdentifier(type)] == nil { known[ObjectIdentifier(type)] = conformances } }
  }

  package static func decodable(_ type: Any.Type) -> (any Decodable.Type)? {
    known.withLock { $0[ObjectIdentifier(type)] }?.decodable ?? type as? any Decodable.Type
  }

  package static func encodable(_ type: Any.Type) -> (any Encodable.Type)? {
    known.withLock { $0[ObjectIdentifier(type)] }?.encodable ?? type as? any Encodable.Type
  }

  package static func encodable(_ value: Any) -> (any Encodable)? {
    func open<Value: Encodable>(_ type: Value.Type) -> (any Encodable)? { value as? Value }
    return encodable(Swift.type(of: value)).flatMap { open($0) }
  }
}

// Called on behalf of the main actor, see `Schema.PropertyMetadata`; for every type that is not known by its spelling.

@_documentation(visibility: private)
public func _coding<T: Codable>(of type: T.Type) -> (any Codable.Type)? { T.self }
@_documentation(visibility: private)
public func _coding<T: Codable>(of type: T?.Type) -> (any Codable.Type)? { T.self }
@_documentation(visibility: private)
public func _coding<T>(of type: T.Type) -> (any Codable.Type)? { nil }
