package import Foundation

/// A file that could not be read or written.
package struct ExternalFileError: Error {
  package let url: URL
  package let underlying: any Error

  /// Whether the file is there, and can never be read.
  package var isDamaged: Bool { underlying is FileCipher.Unreadable }
}

extension SwiftDataError {
  /// A value's file that could not be read or written, or, without an error, that is not there.
  static func externalFile(
    _ property: PropertyInfo, of entity: EntityInfo, row: PersistentIdentifier?, _ url: URL?, _ error: (any Error)?
  ) -> SwiftDataError {
    SwiftDataError(
      error.map { code(ofFile: $0) } ?? .storeInputOutput,
      error == nil ? "The file that holds the value is gone." : "The file that holds the value cannot be used.",
      model: entity.name, property: property.name, row: row,
      remedy: error == nil ? "Restore the file from a backup, or set the property anew." : nil, underlying: error,
      url: url)
  }

  /// The kind of what the system says of a file.
  package static func code(ofFile error: any Error) -> Code {
    if error is FileCipher.Unreadable { return .storeDamaged }
    return (error as? CocoaError)?.code == .fileWriteOutOfSpace ? .storeFull : .storeInputOutput
  }
}
