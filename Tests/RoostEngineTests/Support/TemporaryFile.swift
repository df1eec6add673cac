import Foundation
import RoostEngine

/// A path for a database in a directory of its own, which is removed with this object.
final class TemporaryFile: Sendable {
  let directory: String
  var path: String { directory + "/store.sqlite" }
  var options: ConnectionOptions { ConnectionOptions(location: .file(path: path)) }

  init() throws {
    directory = NSTemporaryDirectory() + "/engine-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// The names of the files in the directory.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  /// Makes a database with a table `item` that has as many rows, and closes it.
  func fill(rows: Int) throws {
    let connection = try Connection(options)
    try connection.execute("CREATE TABLE item(value)")
    try connection.insert(1...rows)
    connection.close()
  }
}
