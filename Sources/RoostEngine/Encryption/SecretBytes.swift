internal import SQLiteLibrary

/// Bytes that nobody else may see: overwritten when they are dropped, and never printed.
///
/// Equal ones are equal keys. How long a comparison takes does not tell where they differ.
package final class SecretBytes: @unchecked Sendable {
  // SAFETY: written by the initialiser alone, before anybody else has the object.
  private let bytes: UnsafeMutableRawBufferPointer

  /// Makes so many bytes, all zero until the function writes them.
  package init<Failure: Error>(
    count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    bytes = .allocate(byteCount: count, alignment: 1)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    try fill(bytes)
  }

  /// Copies bytes. What they are copied from is the caller's to overwrite.
  package convenience init(copying content: UnsafeRawBufferPointer) {
    self.init(count: content.count) { $0.copyMemory(from: content) }
  }

  deinit {
    Self.wipe(bytes)
    bytes.deallocate()
  }

  package var count: Int { bytes.count }

  /// Overwrites bytes that are not needed any more, which the compiler might leave out otherwise.
  package static func wipe(_ memory: UnsafeMutableRawBufferPointer) { roost_wipe(memory.baseAddress, memory.count) }

  /// Calls a function with the bytes, which it must not keep.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(bytes))
  }
}

extension SecretBytes: Hashable {
  package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    left.count == right.count && zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Only how many there are: a hash may be printed.
  package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
