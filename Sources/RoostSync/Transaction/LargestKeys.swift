import SyncMerge

/// The largest keys of the identities that are known of each class and site: what is larger nobody has to look for.
struct LargestKeys {
  private struct Origin: Hashable {
    let entity: Int
    let site: UInt64

    init(_ row: SyncRowID) { (entity, site) = (row.entity, row.site) }
  }

  private var keys: [Origin: Int64] = [:]
  /// The last that was asked for: rows come many of one site in a row.
  private var last: (origin: Origin, key: Int64)?

  /// Whether a row's key is larger than all that are known. `read`: reads the largest; `Int64.min` for none.
  mutating func isBeyond(_ row: SyncRowID, read: () throws -> Int64) rethrows -> Bool {
    let origin = Origin(row)
    if let last, last.origin == origin { return row.key > last.key }
    let key: Int64
    if let known = keys[origin] {
      key = known
    } else {
      key = try read()
      keys[origin] = key
    }
    last = (origin, key)
    return row.key > key
  }

  /// A row is known from now on.
  mutating func note(_ row: SyncRowID) {
    let origin = Origin(row)
    if let last, last.origin == origin {
      if row.key <= last.key { return }
      self.last = (origin, row.key)
    }
    if let key = keys[origin], row.key > key { keys[origin] = row.key }
  }
}
