import Foundation
import SyncMerge

/// What was read of zones, so that it is read and decoded once.
///
/// A merge asks for a row several times. Rows are known until the transaction ends, as nobody else writes meanwhile.
package final class ZoneCache {
  private var zone: Int64 = 0
  private var records: [SyncRowID: SyncRecord?] = [:]
  /// They are the same for most pushes, and whoever reads one knows by its bytes.
  private var registries: [Int64: (bytes: Data, registry: SyncRegistry)] = [:]
  /// The bytes of those.
  private var registryBytes = 0
  /// The most bytes that are kept: a server of many users writes for each in turn.
  private static let mostRegistryBytes = 32 << 20

  package init() {}

  /// Forgets all rows: the transaction is over, or some of it was taken back.
  package func forgetRows() { records.removeAll(keepingCapacity: records.count < 10_000) }

  func record(_ row: SyncRowID, of zone: Int64) -> SyncRecord?? { zone == self.zone ? records[row] : nil }

  func note(_ record: SyncRecord?, _ row: SyncRowID, of zone: Int64) {
    if zone != self.zone {
      records.removeAll()
      self.zone = zone
    }
    records[row] = .some(record)
  }

  func registry(of zone: Int64, _ bytes: Data) throws -> SyncRegistry {
    if let known = registries[zone], known.bytes == bytes { return known.registry }
    let registry: SyncRegistry
    do {
      registry = try JSONDecoder().decode(SyncRegistry.self, from: bytes)
    } catch {
      throw SyncServerError.damaged("the registry of zone \(zone) cannot be read: \(error)")
    }
    registryBytes += bytes.count - (registries.updateValue((bytes, registry), forKey: zone)?.bytes.count ?? 0)
    while registryBytes > Self.mostRegistryBytes, let other = registries.keys.first(where: { $0 != zone }) {
      registryBytes -= registries.removeValue(forKey: other)?.bytes.count ?? 0
    }
    return registry
  }
}
