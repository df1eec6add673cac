/// A place in the order of a zone's changes, where a push ended.
///
/// An older copy of a server's data that was put back has others from some place on.
package struct SyncPlace: Hashable, Sendable, Codable {
  package var sequence: Int64
  /// Made of all pushes up to there.
  package var mark: UInt64

  package init(sequence: Int64, mark: UInt64) { (self.sequence, self.mark) = (sequence, mark) }

  /// The last sequence that a zone can come to.
  package static let most: Int64 = 1 << 62

  /// Before all changes.
  package static let start = SyncPlace(sequence: 0, mark: 0)

  /// Before all changes of a zone, for a device that has begun with it: those of another account have another identity.
  package static func start(of identity: UInt64) -> SyncPlace { SyncPlace(sequence: 0, mark: identity) }

  /// The place where a push ends that follows this.
  ///
  /// What it is about counts too, in its order: a device and its copy may send one push, and one of them
  /// without what it has heard of since.
  func after(_ push: SyncPush, endingAt sequence: Int64) -> SyncPlace {
    let parts = [push.site, UInt64(bitPattern: push.number), push.identity, UInt64(bitPattern: sequence)]
    let mark = push.edits.reduce(mark.mixed(with: parts)) { mark, edit in
      mark.mixed(with: [
        UInt64(bitPattern: Int64(edit.row.entity)), edit.row.site, UInt64(bitPattern: edit.row.key), edit.stamp.time,
      ])
    }
    return SyncPlace(sequence: sequence, mark: mark)
  }
}
