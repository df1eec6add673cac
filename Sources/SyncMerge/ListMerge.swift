/// Two lists that come from one, as one: each element that either inserted is there, each that either removed is not.
enum ListMerge {
  /// What is inserted stands behind the element of the ancestor that it was put behind, the right list's after the
  /// left's. What both have moved stands where the left one has it.
  static func merged(_ left: [SyncValue], _ right: [SyncValue], _ ancestor: [SyncValue]) -> [SyncValue] {
    let (left, right) = (Changes(left, from: ancestor), Changes(right, from: ancestor))
    var merged: [SyncValue] = []
    var moved: [SyncValue: Int] = [:]
    for place in ancestor.indices where !left.keeps[place] && !right.keeps[place] {
      moved[ancestor[place], default: 0] += 1
    }
    var both: [SyncValue: Int] = left.inserted.joined().reduce(into: [:]) { counts, element in
      if let most = moved[element] { counts[element] = min(most, (counts[element] ?? 0) + 1) }
    }
    for place in 0...ancestor.count {
      if place > 0, left.keeps[place - 1], right.keeps[place - 1] { merged.append(ancestor[place - 1]) }
      merged += left.inserted[place]
      // Both inserted the same.
      let isSame = left.inserted[place] == right.inserted[place]
      for element in right.inserted[place] {
        if let count = both[element], count > 0 {
          both[element] = count - 1
        } else if !isSame {
          merged.append(element)
        }
      }
    }
    return merged
  }

  private struct Changes {
    /// Whether each of the ancestor's elements is still there.
    var keeps: [Bool]
    /// What is behind each of these, the first for the beginning.
    var inserted: [[SyncValue]]

    init(_ list: [SyncValue], from ancestor: [SyncValue]) {
      keeps = Array(repeating: false, count: ancestor.count)
      inserted = Array(repeating: [], count: ancestor.count + 1)
      let kept = Self.common(list, ancestor)
      var place = 0
      for (offset, element) in list.enumerated() {
        if let former = kept[offset] {
          keeps[former] = true
          place = former + 1
        } else {
          inserted[place].append(element)
        }
      }
    }

    /// Where the ancestor has the elements of a list that stay, as many as are in the same order; nil for the others.
    ///
    /// The first of equal elements is the ancestor's first, and so on. It takes a time of n log n whatever the lists
    /// are, as anybody may send them, where the fewest insertions and removals may take the square.
    private static func common(_ list: [SyncValue], _ ancestor: [SyncValue]) -> [Int?] {
      var places: [SyncValue: [Int]] = [:]
      for (place, element) in ancestor.enumerated().reversed() { places[element, default: []].append(place) }
      let former = list.map { places[$0]?.popLast() }
      // The longest rising subsequence: the smallest last place of one of each length,
      // and which element is before each.
      var ends: [Int] = []
      var before: [Int?] = Array(repeating: nil, count: list.count)
      for (offset, place) in former.enumerated() {
        guard let place else { continue }
        var (low, high) = (0, ends.count)
        while low < high {
          let middle = (low + high) / 2
          if former[ends[middle]] ?? 0 < place { low = middle + 1 } else { high = middle }
        }
        before[offset] = low > 0 ? ends[low - 1] : nil
        if low < ends.count { ends[low] = offset } else { ends.append(offset) }
      }
      var kept: [Int?] = Array(repeating: nil, count: list.count)
      var next = ends.last
      while let offset = next {
        kept[offset] = former[offset]
        next = before[offset]
      }
      return kept
    }
  }
}
