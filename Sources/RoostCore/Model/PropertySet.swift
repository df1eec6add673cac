/// A set of a model's properties, by their indexes.
package struct PropertySet: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// A bit for each of the first 64.
  package private(set) var first: UInt64 = 0
  /// 64 more each; only as many words as there must be. Empty for nearly all models.
  package private(set) var more: [UInt64] = []

  package init(first: UInt64, more: [UInt64]) {
    self.first = first
    self.more = more
  }

  package init(_ indexes: some Sequence<Int>) {
    for index in indexes { insert(index) }
  }

  package init(arrayLiteral indexes: Int...) { self.init(indexes) }

  package mutating func insert(_ index: Int) {
    let bit: UInt64 = 1 << UInt64(index % 64)
    if index < 64 {
      first |= bit
    } else {
      let missing = index / 64 - more.count
      if missing > 0 { more += Array(repeating: 0, count: missing) }
      more[index / 64 - 1] |= bit
    }
  }

  package mutating func remove(_ index: Int) {
    let bit: UInt64 = 1 << UInt64(index % 64)
    if index < 64 {
      first &= ~bit
    } else if index / 64 <= more.count {
      more[index / 64 - 1] &= ~bit
      while more.last == 0 { more.removeLast() }
    }
  }

  package var isEmpty: Bool { first == 0 && more.allSatisfy { $0 == 0 } }

  package func intersection(_ other: PropertySet) -> PropertySet {
    PropertySet(first: first & other.first, more: zip(more, other.more).map { $0 & $1 })
  }

  package func isDisjoint(with other: PropertySet) -> Bool {
    first & other.first == 0 && zip(more, other.more).allSatisfy { $0 & $1 == 0 }
  }

  mutating func formUnion(_ other: PropertySet) {
    first |= other.first
    while more.count < other.more.count { more.append(0) }
    for (word, bits) in zip(more.indices, other.more) { more[word] |= bits }
  }

  package func subtracting(_ other: PropertySet) -> PropertySet {
    var result = PropertySet(first: first & ~other.first, more: more)
    for (word, bits) in zip(more.indices, other.more) { result.more[word] &= ~bits }
    while result.more.last == 0 { result.more.removeLast() }
    return result
  }

  package func contains(_ index: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(index % 64)
    if index < 64 { return first & bit != 0 }
    return index / 64 <= more.count && more[index / 64 - 1] & bit != 0
  }
}
