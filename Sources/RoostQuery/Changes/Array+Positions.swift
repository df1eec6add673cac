extension Array where Element: AnyObject {
  /// Where some objects are, ascending. No reference is counted.
  func positions(of identifiers: Set<ObjectIdentifier>) -> [Int] {
    guard let first = identifiers.first else { return [] }
    // SAFETY: an array of a class's objects is one of their addresses here, which are only compared.
    return withUnsafeBytes { bytes in
      let addresses = bytes.bindMemory(to: UInt.self)
      if identifiers.count == 1 {
        let address = UInt(bitPattern: first)
        return addresses.indices.filter { addresses[$0] == address }
      }
      let wanted = Set<UInt>(identifiers.map { UInt(bitPattern: $0) })
      return addresses.indices.filter { wanted.contains(addresses[$0]) }
    }
  }
}

extension Array {
  /// Without what is at some positions, and with other elements at theirs afterwards; both ascending.
  consuming func replacing(_ removed: [Int], by added: [(position: Int, element: Element)]) -> [Element] {
    // One by one moves all behind each time, but counts no references.
    if removed.count + added.count <= 16 {
      for position in removed.reversed() { remove(at: position) }
      for (position, element) in added { insert(element, at: position) }
      return self
    }
    let isRemoved = Set(removed)
    let kept = indices.filter { !isRemoved.contains($0) }.map { self[$0] }
    var rest = kept[...]
    var result: [Element] = []
    result.reserveCapacity(kept.count + added.count)
    for (position, element) in added {
      let count = position - result.count
      result += rest.prefix(count)
      rest = rest.dropFirst(count)
      result.append(element)
    }
    return result + rest
  }
}
