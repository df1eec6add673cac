/// What a device shows of rows that take others along when they are deleted, and of those.
struct FamilyFacts {
  /// The names of what each owner takes along, by its own: a topic's pictures, and a book's chapters.
  var owners: [String: Set<String>] = [:]
  var members: Set<String> = []
}

/// What users deleted, for seeing that what went with a row is there again where the row is.
struct FamilyReference {
  /// How often users deleted each owner and member.
  private var deletions: [String: Int] = [:]
  /// The members that went together with their owner.
  private var along: [(owner: String, member: String)] = []
  /// The members that were taken from an owner, which then are not its own any more.
  private var takenOut: Set<String> = []

  /// Notes what a user did: what the device showed before, and after.
  ///
  /// `areAlong`: whether members went as their owners did, and not because the user deleted them, too.
  mutating func note(_ before: FamilyFacts, _ after: FamilyFacts, areAlong: Bool) {
    let gone = before.members.subtracting(after.members)
    for member in gone { deletions[member, default: 0] += 1 }
    for (owner, members) in before.owners {
      guard let left = after.owners[owner] else {
        deletions[owner, default: 0] += 1
        if areAlong { along += members.intersection(gone).sorted().map { (owner, $0) } }
        continue
      }
      takenOut.formUnion(members.subtracting(left))
    }
  }

  /// What is wrong with what all ended with; nil for nothing.
  ///
  /// `isKnown`: whether the server ever had a member. One that was deleted before it was sent is nobody's.
  func problem(with facts: FamilyFacts, isKnown: (String) -> Bool) -> String? {
    let lost = along.first { owner, member in
      deletions[owner] == 1 && deletions[member] == 1 && !takenOut.contains(member) && facts.owners[owner] != nil
        && !facts.members.contains(member) && isKnown(member)
    }
    return lost.map { "\($0.member) is gone with \($0.owner), which is there" }
  }
}
