/// Two lists that come from one, as one: each element that either inserted is there, each that either removed is not.
///
/// Of equal elements the first of a list is the ancestor's first, and so on: those beyond were inserted, and those that
/// are missing removed. So two lists that each lack one of some that are equal have removed the same one. Elements that
/// a list has in another order it has moved, as few as can be. To move an element is no edit of it: what one list moved
/// and the other removed is gone.
enum ListMerge {
  /// What is inserted or moved stands behind the element of the ancestor that it was put behind, the right list's after
  /// the left's. What both have moved stands where the left one has it.
  static func merged(_ left: [SyncValue], _ right: [SyncValue], _ ancestor: [SyncValue]) -> [SyncValue] {
    let (left, right) = (Changes(left, from: ancestor), Changes(right, from: ancestor))
    var merged: [SyncValue] = []
    for place in 0...ancestor.count {
      if place > 0, left.fates[place - 1] == .kept, right.fates[place - 1] == .kept {
        merged.append(ancestor[place - 1])
      }
      // Both inserted the same.
      let isSame = left.inserted(at: place) == right.inserted(at: place)
      for put in left.put[place] where put.former.map({ right.fates[$0] != .removed }) ?? true {
        merged.append(put.element)
      }
      for put in right.put[place] where put.former.map({ left.fates[$0] == .kept }) ?? !isSame {
        merged.append(put.element)
      }
    }
    return merged
  }

  private struct Changes {
    enum Fate { case kept, moved, removed }

    /// What became of each of the ancestor's elements.
    private(set) var fates: [Fate]
    /// What was inserted or moved behind each of these, the first for the beginning. `former`: where the ancestor has
    /// it; nil for what was inserted.
    private(set) var put: [[(element: SyncValue, former: Int?)]]

    init(_ list: [SyncValue], from ancestor: [SyncValue]) {
      fates = Array(repeating: .removed, count: ancestor.count)
      put = Array(repeating: [], count: ancestor.count + 1)
      let places = Self.places(of: list, in: ancestor)
      let rising = Self.rising(places)
      var last = 0
      for (offset, element) in list.enumerated() {
        let former = places[offset]
        if let former { fates[former] = rising[offset] ? .kept : .moved }
        if let former, rising[offset] { last = former + 1 } else { put[last].append((element, former)) }
      }
    }

    func inserted(at place: Int) -> [SyncValue] { put[place].filter { $0.former == nil }.map(\.element) }

    /// Where the ancestor has the elements of a list; nil for those that it does not have, or not as often.
    private static func places(of list: [SyncValue], in ancestor: [SyncValue]) -> [Int?] {
      var places: [SyncValue: [Int]] = [:]
      for (place, element) in ancestor.enumerated().reversed() { places[element, default: []].append(place) }
      return list.map { places[$0]?.popLast() }
    }

    /// Which places are part of the longest rising subsequence.
    ///
    /// It takes a time of n log n whatever the lists are, as anybody may send them, where the fewest insertions and
    /// removals may take the square.
    private static func rising(_ places: [Int?]) -> [Bool] {
      // The smallest last place of a subsequence of each length, and which element is before each.
      var ends: [Int] = []
      var before: [Int?] = Array(repeating: nil, count: places.count)
      for (offset, place) in places.enumerated() {
        guard let place else { continue }
        var (low, high) = (0, ends.count)
        while low < high {
          let middle = (low + high) / 2
          if places[ends[middle]] ?? 0 < place { low = middle + 1 } else { high = middle }
        }
        before[offset] = low > 0 ? ends[low - 1] : nil
        if low < ends.count { ends[low] = offset } else { ends.append(offset) }
      }
      var rising = Array(repeating: false, count: places.count)
      var next = ends.last
      while let offset = next {
        rising[offset] = true
        next = before[offset]
      }
      return rising
    }
  }
}
