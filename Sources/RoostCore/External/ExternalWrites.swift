import Foundation
package import RoostSQL

/// Where the writer of a row puts values that may be in files.
enum ExternalValues {
  /// Into the row, always: a store in memory has no files.
  case inline
  /// Nowhere: the row is only asked whether there is a value.
  case presence
  /// Into the row or into a file, as large as they are.
  // SAFETY: whoever makes a writer holds the files of its save, and no writer outlives the binding of one row.
  case files(Unmanaged<ExternalWrites>)
}

/// The files of one save: those it wrote, which go if it fails, and those it may have made useless, which go if it does
/// not.
package final class ExternalWrites {
  let files: ExternalFiles
  private let threshold: Int
  /// Whether files may become useless.
  let mayRelease: Bool
  private(set) var written: [ExternalName] = []
  /// What rows named before they were deleted or got other values.
  package var released: Set<ExternalName> = []

  package init(_ files: ExternalFiles, threshold: Int, mayRelease: Bool) {
    self.files = files
    self.threshold = threshold
    self.mayRelease = mayRelease
  }

  /// The name of a new file with the value; nil when it is small enough for the row.
  package func place(_ value: SQLValue) throws(ExternalFileError) -> ExternalName? {
    let bytes: Data
    switch value {
    case .blob(let data) where data.count > threshold: bytes = data
    case .text(let text) where text.utf8.count > threshold: bytes = Data(text.utf8)
    default: return nil
    }
    let name = try files.write(bytes)
    written.append(name)
    return name
  }

  /// Removes the files written, but for the first so many.
  func discard(keeping count: Int = 0) {
    for name in written[count...] { files.remove(name) }
    written.removeSubrange(count...)
  }
}
