/// A place in the order of a zone's changes, where a push ended.
///
/// An older copy of a server's data that was put back has others from some place on.
package struct SyncPlace: Hashable, Sendable, Codable {
  package var sequence: Int64
  /// Made of all pushes up to there.
  package var mark: UInt64

  package init(sequence: Int64, mark: UInt64) { (self.sequence, self.mark) = (sequence, mark) }

  /// Before all changes.
  package static let start = SyncPlace(sequence: 0, mark: 0)

  /// Before all changes of a zone, for a device that has begun with it: those of another account have another identity.
  package static func start(of identity: UInt64) -> SyncPlace { SyncPlace(sequence: 0, mark: identity) }

  /// The place where a push ends that follows this.
  func after(_ push: SyncPush, endingAt sequence: Int64) -> SyncPlace {
    var mark = mark
    for part in [push.site, UInt64(bitPattern: push.number), push.identity, UInt64(bitPattern: sequence)] {
      // Source: Steele and others, "Fast splittable pseudorandom number generators": the finaliser of SplitMix64.
      mark = (mark ^ part) &+ 0x9e37_79b9_7f4a_7c15
      mark = (mark ^ mark >> 30) &* 0xbf58_476d_1ce4_e5b9
      mark = (mark ^ mark >> 27) &* 0x94d0_49bb_1331_11eb
      mark ^= mark >> 31
    }
    return SyncPlace(sequence: sequence, mark: mark)
  }
}
