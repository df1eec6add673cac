/// What a slot held at some time.
package enum SlotImage {
  /// The slot itself, an `_Attribute`.
  case attribute(Any)
  case toOne(ToOneReference)
  case toMany(ToManyMembers)

  var hasTemporaryKeys: Bool {
    switch self {
    case .attribute: false
    case .toOne(let reference): reference.isLoaded && reference.key < 0
    case .toMany(let members): members.hasTemporaryKeys || members.joined.contains { $0 < 0 }
    }
  }

  /// The same, with other keys for the models it refers to.
  func mapKeys(_ key: (Int64) -> Int64) -> SlotImage {
    switch self {
    case .attribute: return self
    case .toOne(var reference):
      if reference.object == nil, reference.isLoaded { reference.key = key(reference.key) }
      return .toOne(reference)
    case .toMany(var members):
      if case .keys(let keys) = members.contents { members.contents = .keys(keys.map(key)) }
      members.joined = members.joined.map(key)
      return .toMany(members)
    }
  }

  /// The same, where the store has another state by now than it had then: a list's order must be compared with it.
  func asChange(from now: SlotImage?) -> SlotImage {
    guard case .toMany(var members) = self else { return self }
    guard case .keys(let keys) = members.contents else {
      members.joined = []
      return .toMany(members)
    }
    var known: Set<Int64> = []
    if case .toMany(let now) = now, case .keys(let keys) = now.contents { known = Set(keys).subtracting(now.joined) }
    members.joined = keys.filter { !known.contains($0) }
    members.isRearranged = true
    return .toMany(members)
  }
}
