package import Foundation
package import RoostEngine
import Synchronization

/// Notices that somebody else has migrated the file: its tables are not those that a store's statements are made for.
///
/// Writing would mix what values meant before with what they mean now. So each transaction for writing looks at
/// SQLite's number of the latest change of tables, and compares the stored schema once more if it is new; so does
/// whoever reads, when a statement fails.
package final class SchemaGuard: Sendable {
  private let schema: SchemaInfo
  private let url: URL
  /// The change that is known to be none of the store's own tables; nil until the store is open.
  private let known = Mutex<Int64?>(nil)

  package init(_ schema: SchemaInfo, url: URL) {
    self.schema = schema
    self.url = url
  }

  /// Begins to look, from a change on that is known.
  package func begin(after version: Int64) { known.withLock { $0 = version } }

  /// Notes that the tables were changed by the store itself, within the transaction that does it.
  package func accept(_ connection: Connection) throws {
    let version = try connection.schemaVersion()
    known.withLock { if $0 != nil { $0 = version } }
  }

  package func check(_ connection: Connection) throws {
    guard let last = known.withLock({ $0 }) else { return }
    let version = try connection.schemaVersion()
    if version == last { return }
    let stored = try StoreDefinition(of: connection, url: url)
    let wanted = try StoreDefinition(schema, version: nil)
    if wanted.isServed(by: stored) { return known.withLock { $0 = version } }
    let differences = wanted.differences(from: stored)
    throw SwiftDataError(
      .storeMigrated,
      "Somebody else migrated the store since this container opened it."
        + differences.map { "\n  \($0)" }.joined() + "\n",
      url: url)
  }
}
