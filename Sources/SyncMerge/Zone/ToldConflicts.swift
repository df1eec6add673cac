/// The conflicts that an answer has room for, those of the push's own edits first: a deletion may take a million rows along.
///
/// Those that the program decides are told in any case, as nobody else has what the device wrote. That came with the push, so
/// that there is room for it; what the server has the device is sent besides.
struct ToldConflicts {
  private(set) var all: [SyncConflict] = []
  private var bytes = 0

  mutating func append(_ conflict: SyncConflict) {
    if bytes < SyncWire.pageBytes {
      all.append(conflict)
    } else if conflict.outcome == .open {
      var short = conflict
      short.server.value = .null
      all.append(short)
    }
    bytes += conflict.approximateBytes
  }

  mutating func append(_ conflicts: [SyncConflict]) {
    for conflict in conflicts { append(conflict) }
  }
}
