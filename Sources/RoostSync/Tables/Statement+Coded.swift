import RoostCore
import RoostEngine
import SyncMerge

extension Statement {
  /// Returns how many bytes it takes.
  @discardableResult
  func bind(coded value: some SyncCodable, at parameter: Int32) -> Int {
    let bytes = value.encoded
    bytes.withUnsafeBytes { bind($0, at: parameter) }
    return bytes.count
  }

  /// What a column has the bytes of.
  ///
  /// - Throws: ``SwiftDataError/corruptValue`` for other bytes.
  func decoded<Value: SyncCodable>(_ type: Value.Type, _ column: Int32) throws -> Value {
    do {
      return try withBlob(column) { bytes in try Value(encoded: bytes) }
    } catch {
      throw SwiftDataError(
        .corruptValue, "What is kept for syncing a row cannot be read: \(error).",
        remedy: "Restore a backup of the store; what was synced comes from the server again.", underlying: error)
    }
  }
}
