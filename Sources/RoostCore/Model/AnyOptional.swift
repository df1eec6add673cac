/// An `Optional` whose wrapped type is not known.
protocol AnyOptional {
  var wrappedValue: Any? { get }
}

extension Optional: AnyOptional {
  var wrappedValue: Any? { map { $0 } }
}

/// The type of an `Optional` whose wrapped type is not known.
protocol AnyOptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: AnyOptionalType {
  static var wrappedType: Any.Type { Wrapped.self }
}
