package import Foundation

/// A folder of its own for a test's files, gone with the returned value.
package final class TemporaryFolder: Sendable {
  package let url: URL

  /// `permissions`: those of the folder; nil for what the system gives it.
  package init(permissions: Int? = nil) throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "roost-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: permissions.map { [.posixPermissions: $0] })
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
