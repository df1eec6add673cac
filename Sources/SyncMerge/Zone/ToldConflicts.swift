/// The conflicts that an answer has room for, those of the push's own edits first: a deletion
/// may take a million rows along.
///
/// Those that the program decides are told in any case, as nobody else has what the device wrote. That came with the
/// push, so that there is room for it; what the server has the device is sent besides. Not so those of rows that were
/// there before: they become others as what they refer to does.
struct ToldConflicts {
  private(set) var all: [SyncConflict] = []
  private var bytes = 0
  /// The most bytes of one: three values of a push. A list that was merged may have more,
  /// and its row is in the answer too.
  private static let largest = 3 * SyncWire.pageBytes

  mutating func append(_ conflict: SyncConflict, isOfPush: Bool = true) {
    let size = conflict.approximateBytes
    if bytes < SyncWire.pageBytes, size <= Self.largest {
      all.append(conflict)
    } else if conflict.outcome == .open, isOfPush {
      var short = conflict
      short.server = .unknown(of: conflict.server.stamp.site)
      all.append(short)
    }
    bytes += size
  }

  mutating func append(_ conflicts: [SyncConflict], isOfPush: Bool = true) {
    for conflict in conflicts { append(conflict, isOfPush: isOfPush) }
  }
}
