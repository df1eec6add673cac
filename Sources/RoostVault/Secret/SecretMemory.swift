internal import CVault

/// Bytes that are overwritten when the last who holds them lets go.
///
// SAFETY: the bytes are written by the initialiser alone, before anybody else has the
// object, and only read from then on.
final class SecretMemory: @unchecked Sendable {
  // SAFETY: allocated by the initialiser and freed by `deinit` alone; nobody gets the pointer but for the time of a
  // call in which the object is held.
  private let bytes: UnsafeMutableRawBufferPointer

  init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    bytes = .allocate(byteCount: count, alignment: 1)
    // Or `fill` might leave what was in that memory before.
    _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
    try fill(bytes)
  }

  deinit {
    wipe(bytes)
    bytes.deallocate()
  }

  var count: Int { bytes.count }

  func read<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(bytes)) }
  }
}

/// Overwrites bytes with zeros, also where the compiler sees that nobody reads them again.
func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  // SAFETY: the address and the count are those of one buffer, which the caller holds.
  if let address = bytes.baseAddress { roost_vault_wipe(address, bytes.count) }
}
