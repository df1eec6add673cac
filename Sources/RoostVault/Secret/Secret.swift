internal import CVault
import Foundation

/// Bytes that nobody should see: a key, a password, a token.
///
/// It prints as `<secret>`, in a log, in a string and in a dump. Its copies share one memory, which is overwritten when
/// the last of them is gone. What you make of it, such as ``string`` or a copy in a `Data`, is yours to care for; and
/// the memory may be written to swap space like any other.
///
/// ```swift
/// let key = Secret.random(count: 32)
/// try key.withUnsafeBytes { bytes in try open(file, bytes) }
/// print("\(key)")  // <secret>
/// ```
public struct Secret: Sendable {
  private let memory: SecretMemory

  /// A secret of a text's UTF-8.
  ///
  /// - Parameter text: what is secret. The text itself stays in memory for as long as Swift keeps it.
  public init(_ text: String) {
    var text = text
    memory = text.withUTF8 { utf8 in SecretMemory(count: utf8.count) { $0.copyBytes(from: utf8) } }
  }

  /// A secret of some bytes, which are copied.
  ///
  /// - Parameter bytes: what is secret, such as a `Data` or an array.
  public init(_ bytes: some Collection<UInt8>) {
    memory = SecretMemory(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  /// A secret that is written where it stays, so that there is no copy of it anywhere.
  ///
  /// - Parameters:
  ///   - count: the number of bytes.
  ///   - fill: writes all of them.
  /// - Throws: what `fill` throws.
  public init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    memory = try SecretMemory(count: count, fill)
  }

  /// New random bytes that nobody can guess.
  ///
  /// - Parameter count: the number of bytes; 32 are a key for all that Roost encrypts.
  /// - Returns: the secret.
  public static func random(count: Int = 32) -> Secret {
    var generator = SystemRandomNumberGenerator()
    return Secret(count: count) { bytes in
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...(.max), using: &generator) }
    }
  }

  /// The number of bytes.
  public var count: Int { memory.count }

  /// The bytes as text; nil if they are not UTF-8. The text is a copy, which is not overwritten.
  public var string: String? { withUnsafeBytes { String(validating: $0, as: UTF8.self) } }

  /// Lends the bytes, which must not be used after `body` has returned.
  ///
  /// - Parameter body: reads the bytes.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try memory.read(body)
  }
}

extension Secret: Equatable {
  /// Whether both have the same bytes. It takes as long wherever they differ, so that nobody can guess byte by byte.
  public static func == (lhs: Secret, rhs: Secret) -> Bool {
    lhs.withUnsafeBytes { left in
      rhs.withUnsafeBytes { right in
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
      }
    }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<secret>`, whatever the bytes are.
  public var description: String { "<secret>" }

  /// `<secret>`, whatever the bytes are.
  public var debugDescription: String { "<secret>" }

  /// No children, so that a dump shows `<secret>` alone.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
