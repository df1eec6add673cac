import Foundation
import RoostCore
import RoostEngine

extension ModelConfiguration {
  /// Removes the files of values that no row of a copy names.
  ///
  /// A change of the encryption that was cut off leaves such, and nobody opens a backup as a
  /// store, which would do the same.
  func sweepFiles(ofCopy file: URL) throws {
    let files = ExternalFiles(of: file)
    let present = try files.names()
    if present.isEmpty { return }
    var options = try options(forCopy: file)
    (options.mode, options.makesWriteAheadLog) = (.readWrite, false)
    let connection = try Connection(options)
    defer { connection.close() }
    // Whoever has the write lock knows that no save is under way that is about to name one.
    let named = try connection.transaction(.immediate) {
      try connection.externalNames(in: StoreDefinition(of: connection, url: file).externalColumns)
    }
    for name in present.subtracting(named) { files.remove(name) }
  }
}
