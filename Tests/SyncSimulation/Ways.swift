import TestSupport

/// Which ways of doing each kind of thing a schedule has.
///
/// Every second one has some of them alone, so that those which are rare meet often ("Swarm
/// Testing", Groce and others, 2012).
struct Ways {
  /// What is done in several ways.
  enum Kind {
    case user, model, laterModel, box, note, author, book, topic, shell, sql, disturbance, damage
  }

  private let hasAll: Bool
  private var kept: [Kind: [Int]] = [:]

  init(_ random: inout SeededRandom) { hasAll = random.once(in: 2) }

  /// Returns one of a kind's `count` ways, from 0 on.
  mutating func next(_ kind: Kind, of count: Int, _ random: inout SeededRandom) -> Int {
    if hasAll { return random.below(count) }
    let some = kept[kind] ?? (0..<count).filter { _ in random.once(in: 2) }
    kept[kind] = some
    return some.isEmpty ? random.below(count) : random.pick(some)
  }
}
