import Foundation

/// The members of long lists that models are appended to, so that an append need not find all the others once more.
///
/// They stay alive as long as they are kept. So only lists are kept most of whose members are pending too, until
/// nothing is pending any more or a model goes, which a list then does not show. Whether what is kept is still what a
/// list has, the list's slot says: each change of its keys ends that.
final class KeptLists {
  /// Of a shorter list the members are found in a moment.
  private static let leastCount = 64

  private struct Place: Hashable {
    let owner: ObjectIdentifier
    let index: Int
  }

  private final class List<Target: PersistentModel> {
    /// Held, so that its place is no other model's.
    private let owner: any PersistentModel
    var members: [Target]
    /// The same in an array of its own, handed out once: whoever appends to it changes it in place.
    var spare: [Target]?

    init(_ owner: any PersistentModel, _ members: [Target]) { (self.owner, self.members) = (owner, members) }
  }

  // SAFETY: a context belongs to one actor, and nothing that changes these calls out meanwhile.
  @exclusivity(unchecked) private var lists: [Place: AnyObject] = [:]

  private func list<Target: PersistentModel>(
    of owner: any PersistentModel, _ index: Int, as type: Target.Type
  ) -> List<Target>? {
    if lists.isEmpty { return nil }
    return lists[Place(owner: ObjectIdentifier(owner), index: index)] as? List<Target>
  }

  /// The members of a list whose slot says that they may be here.
  func take<Target: PersistentModel>(
    of owner: any PersistentModel, _ index: Int, as type: Target.Type
  ) -> [Target]? {
    guard let list = list(of: owner, index, as: type) else { return nil }
    guard let spare = list.spare else { return list.members }
    list.spare = nil
    return spare
  }

  /// Whether some models are the members that are kept of a list, in their order, and one more.
  func has<Target: PersistentModel>(
    allButLastOf models: [Target], of owner: any PersistentModel, _ index: Int
  ) -> Bool {
    guard let list = list(of: owner, index, as: Target.self), models.count == list.members.count + 1 else {
      return false
    }
    return list.members.withUnsafeBytes { known in models.withUnsafeBytes { Self.begins($0, with: known) } }
  }

  // SAFETY: arrays of models are addresses, one behind the other. They are compared as numbers, as nobody need count a
  // reference for that; both arrays hold the models meanwhile.
  private static func begins(_ bytes: UnsafeRawBufferPointer, with known: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= known.count, let one = bytes.baseAddress, let other = known.baseAddress else { return false }
    return memcmp(one, other, known.count) == 0
  }

  /// Keeps what a list has by now: one model more than before.
  ///
  /// `wasKept`: whether the others are kept already.
  ///
  /// - Returns: Whether the list is kept.
  func keep<Target: PersistentModel>(
    _ models: [Target], of owner: any PersistentModel, _ index: Int, wasKept: Bool
  ) -> Bool {
    if wasKept, let last = models.last, let list = list(of: owner, index, as: Target.self) {
      list.members.append(last)
      list.spare = models
      return true
    }
    // A shell that is alive would be read with the next one that is.
    guard models.count >= Self.leastCount, owner._$edit(index, .collectJoined).keys.count >= models.count / 2,
      models.allSatisfy({ !$0._$state.flags.contains(.shell) })
    else { return false }
    lists[Place(owner: ObjectIdentifier(owner), index: index)] = List(owner, models)
    return true
  }

  func forget() {
    if lists.isEmpty { return }
    let dropped = lists
    lists = [:]
    // Models may go with them, whose ends may look here.
    withExtendedLifetime(dropped) {}
  }
}
