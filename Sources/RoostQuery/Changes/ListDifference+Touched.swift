// Where few elements changed, and all others are in both lists in one order.
extension ListDifference {
  /// `old` and `new` are the elements that changed with their positions, ascending;
  /// `unchanged` is the number of others.
  ///
  /// What did not change lies in stretches between the places that changed elements had or have. A stretch stays as a
  /// whole or moves as a whole, so that the fewest moves are found by weighing stretches and changed elements alone.
  init<Element: Hashable>(
    from old: [(element: Element, position: Int)], to new: [(element: Element, position: Int)], unchanged: Int
  ) {
    self.init()
    let formerIndexes = Dictionary(old.enumerated().map { ($1.element, $0) }, uniquingKeysWith: { first, _ in first })
    let isThere = Set(new.map(\.element))
    var parts: [Part] = []
    for (index, item) in new.enumerated() {
      guard let former = formerIndexes[item.element] else {
        insertions.append(item.position)
        continue
      }
      let position = old[former].position
      parts.append(
        Part(
          old: Place(unchanged: position - former, isStretch: 0, index: former),
          new: Place(unchanged: item.position - index, isStretch: 0, index: index), length: 1, oldStart: position,
          newStart: item.position))
    }
    deletions = old.filter { !isThere.contains($0.element) }.map(\.position)
    let changed = parts
    let cuts = Set(changed.flatMap { [$0.old.unchanged, $0.new.unchanged] } + [0, unchanged]).sorted()
    let (oldPlaces, newPlaces) = (
      old.enumerated().map { $1.position - $0 }, new.enumerated().map { $1.position - $0 }
    )
    for (start, end) in zip(cuts, cuts.dropFirst()) {
      let place = Place(unchanged: start, isStretch: 1, index: 0)
      parts.append(
        Part(
          old: place, new: place, length: end - start, oldStart: start + oldPlaces.count(notAbove: start),
          newStart: start + newPlaces.count(notAbove: start)))
    }
    parts.sort { $0.new < $1.new }
    let isStaying = Self.heaviestAscending(parts)
    kept = changed.map { ($0.oldStart, $0.newStart) }
    for (part, isStaying) in zip(parts, isStaying) where !isStaying {
      if part.old.isStretch == 0 {
        moves.append((part.oldStart, part.newStart))
        continue
      }
      // Elements that went, or came, may lie within.
      for place in part.old.unchanged..<(part.old.unchanged + part.length) {
        moves.append((place + oldPlaces.count(notAbove: place), place + newPlaces.count(notAbove: place)))
      }
    }
    moves.sort { $0.to < $1.to }
  }

  /// A place among the unchanged elements: behind how many, and there in front of them.
  private struct Place: Comparable {
    let unchanged: Int
    let isStretch: Int
    let index: Int

    static func < (lhs: Place, rhs: Place) -> Bool {
      (lhs.unchanged, lhs.isStretch, lhs.index) < (rhs.unchanged, rhs.isStretch, rhs.index)
    }
  }

  /// A changed element, or a stretch of unchanged ones.
  private struct Part {
    let old: Place
    let new: Place
    let length: Int
    let oldStart: Int
    let newStart: Int
  }

  /// Which parts stay, so that as many elements as possible do.
  private static func heaviestAscending(_ parts: [Part]) -> [Bool] {
    let places = parts.map(\.old)
    var weights = parts.map(\.length)
    var previous: [Int?] = Array(repeating: nil, count: parts.count)
    // The parts so far that what stays may end with, by their old places: each weighs at least as much as those before.
    var ends: [Int] = []
    for position in parts.indices {
      let count = lengths(ends, places, below: places[position])
      if count > 0 {
        previous[position] = ends[count - 1]
        weights[position] += weights[ends[count - 1]]
      }
      // Whatever may stay behind a lighter one may stay behind this one too.
      let end = ends[count...].firstIndex { weights[$0] >= weights[position] } ?? ends.count
      ends.replaceSubrange(count..<end, with: CollectionOfOne(position))
    }
    var isStaying = Array(repeating: false, count: parts.count)
    var next = ends.last
    while let position = next {
      isStaying[position] = true
      next = previous[position]
    }
    return isStaying
  }
}

extension [Int] {
  /// How many of these numbers, which never descend, are at most another.
  fileprivate func count(notAbove number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
