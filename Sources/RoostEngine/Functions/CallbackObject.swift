/// An object that SQLite holds for us, as the user data of a callback.
protocol CallbackObject: AnyObject {}

extension CallbackObject {
  /// The object behind user data.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> Self? {
    // SAFETY: each callback is registered together with an object of its own class, and SQLite holds it until it calls
    // `release`, which it does not do during a call.
    pointer.map { Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Gives back what SQLite held.
  static func release(_ pointer: UnsafeMutableRawPointer?) {
    // SAFETY: SQLite calls this once for each registration.
    if let pointer { Unmanaged<Self>.fromOpaque(pointer).release() }
  }
}

/// A function of one row.
final class ScalarFunction: CallbackObject {
  let body: @Sendable (FunctionArguments) throws -> DatabaseValue

  init(_ body: @escaping @Sendable (FunctionArguments) throws -> DatabaseValue) {
    self.body = body
  }
}

/// An order of texts.
final class Collation: CallbackObject {
  let compare: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32

  init(_ compare: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32) {
    self.compare = compare
  }
}
