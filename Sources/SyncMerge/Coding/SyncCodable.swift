/// What is written as bytes, on the wire and in a server's data.
///
/// Changing how means another ``SyncWriter/version``: other programs read what this one writes.
package protocol SyncCodable {
  func encode(to writer: inout SyncWriter)
  init(from reader: inout SyncReader) throws(SyncCodingError)
}

/// Why bytes are not what they are read as.
package enum SyncCodingError: Error, Hashable, Sendable {
  /// They end too early.
  case truncated
  /// There is more behind the end.
  case leftOver
  /// They are of a version that this code does not know.
  case unknownVersion(UInt8)
  /// They say that something is of a kind that this code does not know.
  case unknownTag(UInt8)
  /// A number is too large.
  case overflow
  /// A text is not UTF-8.
  case invalidText
  /// Lists are in lists in lists.
  case tooDeep
  /// A list has more elements, or all values take more memory, than a device's do.
  case tooLarge
  /// A field is there twice.
  case repeatedField
}

extension SyncCodable {
  /// The version of the coding, and the value.
  package var encoded: [UInt8] {
    var writer = SyncWriter()
    writer.write(byte: SyncWriter.version)
    encode(to: &writer)
    return writer.bytes
  }

  /// Reads all of what ``encoded`` wrote.
  package init(encoded bytes: UnsafeRawBufferPointer) throws(SyncCodingError) {
    var reader = SyncReader(bytes)
    let version = try reader.byte()
    guard version == SyncWriter.version else { throw .unknownVersion(version) }
    try self.init(from: &reader)
    guard reader.left == 0 else { throw .leftOver }
  }

  /// Reads all of what ``encoded`` wrote.
  package init(encoded bytes: [UInt8]) throws(SyncCodingError) {
    // A result, as the array's function loses which error it is.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(SyncCodingError) in try Self(encoded: bytes) }
    }
    self = try result.get()
  }
}
