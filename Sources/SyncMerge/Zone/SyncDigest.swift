/// Which rows a zone has at a place, and which change of each is the last, in a few numbers.
///
/// It says nothing of values: programs show defaults, backfilled and converted values that the zone does not have.
package struct SyncDigest: Hashable, Sendable {
  /// The rows of a class that are there, in whatever order they are added.
  package struct Rows: Hashable, Sendable {
    package var count: Int64
    package var sum: UInt64

    package init(count: Int64 = 0, sum: UInt64 = 0) { (self.count, self.sum) = (count, sum) }

    /// Adds a row. `sequence`: the place of its last change.
    package mutating func add(_ row: SyncRowID, at sequence: Int64) {
      count += 1
      sum &+= UInt64(0).mixed(with: [row.site, UInt64(bitPattern: row.key), UInt64(bitPattern: sequence)])
    }
  }

  package var place: SyncPlace
  /// By the numbers of classes. Those that have no rows need not be there.
  package var rows: SyncFields<Rows>

  package init(place: SyncPlace, rows: SyncFields<Rows> = [:]) { (self.place, self.rows) = (place, rows) }
}

extension SyncZone {
  /// Which rows the zone has now, of all classes.
  ///
  /// - Returns: the digest, at the zone's last place.
  /// - Throws: what the storage throws.
  package func digest() throws -> SyncDigest {
    var digest = SyncDigest(place: try storage.place)
    try storage.forEachRow { row, sequence in digest.rows[row.entity, default: SyncDigest.Rows()].add(row, at: sequence)
    }
    return digest
  }
}
