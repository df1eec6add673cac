/// How one list became another, with as few moves as there can be.
struct ListDifference {
  /// Positions in the old list, ascending.
  var deletions: [Int] = []
  /// Positions in the new list, ascending.
  var insertions: [Int] = []
  /// From a position in the old list to one in the new list, ascending by the latter.
  var moves: [(from: Int, to: Int)] = []
  /// The positions of all that both lists have, moved or not, in the new list's order.
  var kept: [(old: Int, new: Int)] = []

  init() {}

  /// `mayStay` says whether what is at an old position and at a new one can be left where it is.
  init<Element: Hashable>(
    from old: [Element], to new: [Element], mayStay: (_ old: Int, _ new: Int) -> Bool = { _, _ in true }
  ) {
    var positions = Dictionary(zip(old, old.indices), uniquingKeysWith: { first, _ in first })
    var isKept = Array(repeating: false, count: old.count)
    for (position, element) in new.enumerated() {
      // Taken out, so that an element that comes twice is not kept twice.
      guard let former = positions.removeValue(forKey: element) else {
        insertions.append(position)
        continue
      }
      isKept[former] = true
      kept.append((former, position))
    }
    deletions = old.indices.filter { !isKept[$0] }
    let candidates = kept.indices.filter { mayStay(kept[$0].old, kept[$0].new) }
    var isStaying = Array(repeating: false, count: kept.count)
    for position in Self.longestAscending(candidates.map { kept[$0].old }) { isStaying[candidates[position]] = true }
    for (pair, isStaying) in zip(kept, isStaying) where !isStaying { moves.append((pair.old, pair.new)) }
  }

  /// The positions of a longest ascending part of different numbers: what need not move. Takes n log n steps.
  ///
  /// Source: [patience sorting](https://en.wikipedia.org/wiki/Longest_increasing_subsequence).
  static func longestAscending(_ numbers: [Int]) -> [Int] {
    // Of the ascending parts of each length so far, where the one ends that ends with the least number.
    var ends: [Int] = []
    var previous: [Int?] = []
    previous.reserveCapacity(numbers.count)
    for (position, number) in numbers.enumerated() {
      let length = ends.last.map { numbers[$0] < number } ?? true ? ends.count : lengths(ends, numbers, below: number)
      previous.append(length == 0 ? nil : ends[length - 1])
      if length == ends.count { ends.append(position) } else { ends[length] = position }
    }
    var found: [Int] = []
    var next = ends.last
    while let position = next {
      found.append(position)
      next = previous[position]
    }
    return found.reversed()
  }

  /// How many of the parts end with a number below another; their last numbers ascend.
  static func lengths<Number: Comparable>(_ ends: [Int], _ numbers: [Number], below number: Number) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
