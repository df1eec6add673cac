/// An `Optional` whose wrapped type is not known.
package protocol AnyOptional {
  var wrappedValue: Any? { get }
}

extension Optional: AnyOptional {
  package var wrappedValue: Any? { map { $0 } }
}

/// The type of an `Optional` whose wrapped type is not known.
package protocol AnyOptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: AnyOptionalType {
  package static var wrappedType: Any.Type { Wrapped.self }
}
