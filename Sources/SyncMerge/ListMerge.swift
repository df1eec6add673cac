/// Two lists that come from one, as one: each element that either inserted is there, each that either removed is not.
enum ListMerge {
  /// What is inserted stands behind the element of the ancestor that it was put behind, the right list's after the left's.
  static func merged(_ left: [SyncValue], _ right: [SyncValue], _ ancestor: [SyncValue]) -> [SyncValue] {
    let (left, right) = (Changes(left, from: ancestor), Changes(right, from: ancestor))
    var merged: [SyncValue] = []
    for place in 0...ancestor.count {
      if place > 0, left.keeps[place - 1], right.keeps[place - 1] { merged.append(ancestor[place - 1]) }
      merged += left.inserted[place]
      // Both inserted the same.
      if left.inserted[place] != right.inserted[place] { merged += right.inserted[place] }
    }
    return merged
  }

  private struct Changes {
    /// Whether each of the ancestor's elements is still there.
    var keeps: [Bool]
    /// What is behind each of these, the first for the beginning.
    var inserted: [[SyncValue]]

    init(_ list: [SyncValue], from ancestor: [SyncValue]) {
      keeps = Array(repeating: true, count: ancestor.count)
      inserted = Array(repeating: [], count: ancestor.count + 1)
      let difference = list.difference(from: ancestor)
      var isNew = Array(repeating: false, count: list.count)
      for change in difference {
        switch change {
        case .remove(let offset, _, _): keeps[offset] = false
        case .insert(let offset, _, _): isNew[offset] = true
        }
      }
      // The elements that stay are the same on both sides, in order.
      var place = 0
      for (offset, element) in list.enumerated() {
        if isNew[offset] {
          inserted[place].append(element)
          continue
        }
        while place < keeps.count, !keeps[place] { place += 1 }
        place += 1
      }
    }
  }
}
