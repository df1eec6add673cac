import Foundation
import SyncMerge

/// What was read of zones, so that it is read and decoded once.
///
/// A merge asks for a row several times. Rows are known until the transaction ends, as nobody else writes meanwhile, or
/// until there are too many: a push may have a list of thousands of photos.
package final class ZoneCache {
  private var zone: Int64 = 0
  private var records: [SyncRowID: SyncRecord?] = [:]
  /// About how many bytes those have.
  package private(set) var recordBytes = 0
  /// The most that are kept.
  private let mostRecordBytes: Int
  /// They are the same for most pushes, and whoever reads one knows by its bytes.
  private var registries: [Int64: (bytes: Data, registry: SyncRegistry)] = [:]
  /// The bytes of those.
  private var registryBytes = 0
  /// The most bytes that are kept: a server of many users writes for each in turn.
  private static let mostRegistryBytes = 32 << 20

  package init(mostRecordBytes: Int = 64 << 20) { self.mostRecordBytes = mostRecordBytes }

  /// Forgets all rows: the transaction is over, some of it was taken back, or there are too many.
  package func forgetRows() {
    records.removeAll(keepingCapacity: records.count < 10_000)
    recordBytes = 0
  }

  func record(_ row: SyncRowID, of zone: Int64) -> SyncRecord?? { zone == self.zone ? records[row] : nil }

  func note(_ record: SyncRecord?, _ row: SyncRowID, of zone: Int64) {
    // What a row takes beside its values.
    let bytes = 256 + (record.map { $0.approximateBytes + 40 * ($0.owners.count + $0.outlived.count) } ?? 0)
    if zone != self.zone || recordBytes + bytes > mostRecordBytes { forgetRows() }
    self.zone = zone
    // A row that comes again counts again.
    records[row] = .some(record)
    recordBytes += bytes
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
