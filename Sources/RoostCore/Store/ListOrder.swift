/// Where the members of a list must be moved to.
enum ListOrder {
  /// Positions for as few members as can be, so that the positions of `order` ascend.
  /// `positions`: those that members have.
  static func missingPositions(_ order: [Int64], _ positions: [Int64: Double]) -> [(key: Int64, position: Double)] {
    let staying = longestAscent(order, positions)
    var missing: [(key: Int64, position: Double)] = []
    var previous: Double?
    var start = 0
    for (end, next) in staying.map({ ($0, positions[order[$0]]) }) + [(order.count, nil)] {
      let low = previous
      for (offset, key) in order[start..<end].enumerated() {
        let position = position(offset, of: end - start, between: low, and: next)
        // The gap is used up: new positions for all, behind the old ones.
        guard position > previous ?? -.infinity, position < next ?? .infinity else {
          return renumbered(order, positions)
        }
        missing.append((key, position))
        previous = position
      }
      previous = next
      start = end + 1
    }
    return missing
  }

  private static func position(_ offset: Int, of count: Int, between low: Double?, and high: Double?) -> Double {
    switch (low, high) {
    case (let low?, let high?): low + (high - low) * Double(offset + 1) / Double(count + 1)
    case (let low?, nil): low + Double(offset + 1)
    case (nil, let high?): high - Double(count - offset)
    case (nil, nil): Double(offset + 1)
    }
  }

  private static func renumbered(_ order: [Int64], _ positions: [Int64: Double]) -> [(key: Int64, position: Double)] {
    let last = positions.values.filter { $0 < 0x1p52 }.max() ?? 0
    return order.enumerated().map { ($1, last.rounded(.up) + Double($0 + 1)) }
  }

  /// The indexes of a longest subsequence whose members' positions ascend, by patience sorting.
  ///
  /// Source: M. L. Fredman, "On computing the length of longest increasing subsequences", 1975.
  private static func longestAscent(_ order: [Int64], _ positions: [Int64: Double]) -> [Int] {
    /// For each length, the index of the least last member of an ascent of that length.
    var ends: [Int] = []
    var predecessors = [Int?](repeating: nil, count: order.count)
    for (index, key) in order.enumerated() {
      guard let position = positions[key] else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        let other = order[ends[middle]]
        if (positions[other] ?? 0, other) < (position, key) { low = middle + 1 } else { high = middle }
      }
      predecessors[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var ascent: [Int] = []
    var next = ends.last
    while let index = next {
      ascent.append(index)
      next = predecessors[index]
    }
    return ascent.reversed()
  }
}

extension [Int64] {
  var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
