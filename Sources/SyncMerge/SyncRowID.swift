/// A row, on all devices: the class, and the store and key that the row was made with.
package struct SyncRowID: Hashable, Sendable, Comparable {
  /// The number that the server gave to the class, which renames keep.
  package var entity: Int
  /// The store that the row was made in.
  package var site: UInt64
  /// The row's key there.
  package var key: Int64

  package init(entity: Int, site: UInt64, key: Int64) {
    (self.entity, self.site, self.key) = (entity, site, key)
  }

  package static func < (left: SyncRowID, right: SyncRowID) -> Bool {
    (left.entity, left.site, left.key) < (right.entity, right.site, right.key)
  }
}
