// The numbers that classes and fields have, which renames keep.
extension SyncRegistry {
  /// The numbers of things by their names; those that have none get some.
  ///
  /// A name may have been another thing's before that was renamed. So whoever says what it was called goes first, then
  /// what can only be one thing. A former name is one as well: an older program may begin after the one that renamed.
  ///
  /// A program gets the same each time, whatever others have had numbers for meanwhile.
  ///
  /// `mayMove`: whether a thing is the same that a class had and now the one above has, or the other way round.
  static func numbers(
    of names: [SyncName], _ version: [Int], in entries: inout [Int: Entry], _ given: inout GivenNumbers?,
    mayMove: Bool = false
  ) -> [String: Int] {
    if names.isEmpty { return [:] }
    if let numbers = given?.numbers(of: names, version) {
      for name in names { if let number = numbers[name.name] { entries[number]?.note(name, version) } }
      return numbers
    }
    let numbers = newNumbers(of: names, version, in: &entries, mayMove: mayMove)
    given = given ?? GivenNumbers()
    given?.note(numbers, of: names, version)
    return numbers
  }

  private static func newNumbers(
    of names: [SyncName], _ version: [Int], in entries: inout [Int: Entry], mayMove: Bool
  ) -> [String: Int] {
    var (numbers, taken): ([String: Int], Set<Int>) = ([:], [])
    // What gets a name below is taken from then on.
    var present: [String: [Int]] = [:]
    for (number, entry) in entries { for name in entry.names { present[name, default: []].append(number) } }
    var last = entries.keys.max() ?? 0
    func known(_ name: String) -> Int? {
      let found = (present[name] ?? []).filter { !taken.contains($0) }
      // Only an older program means what has another name by now.
      return found.filter { !(entries[$0]?.hasLost(name, by: version) ?? false) }.min() ?? found.min()
    }
    /// Those first that are known by all they say, then those that are by their last former name. Those last that are
    /// only what other things were called, which may have their own names in the same program.
    func order(_ name: SyncName) -> Int {
      if let last = name.formerNames.first {
        let former = Set(present[last] ?? [])
        return former.isEmpty ? -1 : former.isDisjoint(with: present[name.name] ?? []) ? -2 : -3
      }
      let found = present[name.name] ?? []
      let isFormer = !found.isEmpty && found.allSatisfy { entries[$0]?.isFormer(name.name) ?? false }
      return isFormer ? .max : 1 + found.count
    }
    let left = mayMove ? Self.left(by: names, in: entries) : [:]
    /// The one thing that the program does not have where it was.
    func moved(_ name: String) -> Int? {
      let found = Set(left[PropertyPlace(name).elsewhere] ?? []).subtracting(taken)
      return found.count == 1 ? found.first : nil
    }
    /// As a device's migration decides, which has what the last program had. It is the same each time.
    func number(of name: SyncName) -> Int? {
      let own = known(name.name)
      guard let original = name.formerNames.first else { return own ?? moved(name.name) }
      let both = Set(present[name.name] ?? []).intersection(present[original] ?? []).subtracting(taken)
      let same = both.filter { entries[$0]?.renames?[name.name] == original }
      if let number = same.min() ?? both.min() { return number }
      // No program of the version between may have begun.
      let former = name.formerNames.first { known($0) != nil }.flatMap(known)
      func isDropped(_ number: Int) -> Bool { entries[number]?.isDropped ?? false }
      // It was renamed long ago, and nobody said so then.
      if let own, let former, isDropped(former), !isDropped(own) { return own }
      return former ?? own
    }
    for name in names.map({ (order($0), $0) }).sorted(by: { $0.0 < $1.0 }).map(\.1) {
      let number = number(of: name) ?? last + 1
      last = max(last, number)
      entries[number, default: Entry(names: [])].note(name, version)
      taken.insert(number)
      numbers[name.name] = number
    }
    return numbers
  }

  /// The numbers of what a program does not have, by where it was.
  private static func left(by names: [SyncName], in entries: [Int: Entry]) -> [PropertyPlace: [Int]] {
    let all = Set(names.flatMap { [$0.name] + $0.formerNames })
    var left: [PropertyPlace: [Int]] = [:]
    for (number, entry) in entries where entry.names.isDisjoint(with: all) {
      for name in entry.names { left[PropertyPlace(name), default: []].append(number) }
    }
    return left
  }
}

/// Whether a property is the top class's or one below has it, by the name that the server knows it by.
private struct PropertyPlace: Hashable {
  private let name: Substring
  private var isAtTop: Bool
  /// Whether it is the place in the list of what the property refers to.
  private let isPosition: Bool

  init(_ text: String) {
    isPosition = text.hasSuffix(".position")
    let parts = text.dropLast(isPosition ? 9 : 0).split(separator: ".", maxSplits: 1)
    (name, isAtTop) = (parts.last ?? "", parts.count < 2)
  }

  /// The same property at the top, or below it.
  var elsewhere: PropertyPlace {
    var other = self
    other.isAtTop.toggle()
    return other
  }
}
