import Foundation
import SyncMerge
import TestSupport
import Testing

/// Short lists of few letters, so that equal elements, moves and removals meet, against what must hold of any merge.
@Suite struct RandomListMergeTests {
  private static let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 20_000

  @Test func `a merged list has what either inserted, and what neither removed, each once`() {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var counts = Lists.Counts()
    for place in 0..<UInt64(Self.cases) {
      let lists = Lists(seed: seed &+ place)
      if let problem = lists.problem(&counts) {
        Issue.record("seed \(seed &+ place), ROOST_CASES=1: \(lists): \(problem)")
        return
      }
    }
    // It tested something.
    let few = Self.cases / 100
    #expect(counts.insertedByBoth > few && counts.insertedByOne > few && counts.removedByBoth > few)
    #expect(counts.removedAndMoved > few && counts.movedByBoth > few && counts.insertedAlike > few)
    #expect(counts.equal > few && counts.unchanged > few && counts.ordered > few && counts.onlyInserted > few)
  }
}

/// A list, and what two devices made of it.
private struct Lists: CustomStringConvertible {
  /// How often something was looked at.
  struct Counts {
    var insertedByBoth = 0
    var insertedByOne = 0
    var insertedAlike = 0
    var removedByBoth = 0
    var removedAndMoved = 0
    var movedByBoth = 0
    var equal = 0
    var unchanged = 0
    var ordered = 0
    var onlyInserted = 0
  }

  private let ancestor: [Character]
  private let left: [Character]
  private let right: [Character]

  var description: String { "\(String(ancestor)) as \(String(left)) and \(String(right))" }

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let letters = Array("abcd".prefix(2 + random.below(3)))
    func list() -> [Character] { (0..<random.below(7)).map { _ in random.pick(letters) } }
    ancestor = list()
    var sides = [ancestor, ancestor]
    for (side, own) in [(0, "xy"), (1, "zw")] {
      // One that has little of what it was.
      if random.once(in: 8) { sides[side] = list() }
      for _ in 0..<random.below(4) {
        switch random.below(3) {
        case 0 where !sides[side].isEmpty: sides[side].remove(at: random.below(sides[side].count))
        case 1 where !sides[side].isEmpty:
          let moved = sides[side].remove(at: random.below(sides[side].count))
          sides[side].insert(moved, at: random.below(sides[side].count + 1))
        default:
          let letter = random.pick(random.once(in: 3) ? Array(own) : letters)
          sides[side].insert(letter, at: random.below(sides[side].count + 1))
        }
      }
    }
    (left, right) = (sides[0], random.once(in: 20) ? sides[0] : sides[1])
  }

  /// nil, or what is wrong.
  func problem(_ counts: inout Counts) -> String? {
    guard let merged = Self.merged(left, right, ancestor), let other = Self.merged(right, left, ancestor) else {
      return "there is no list"
    }
    if merged.sorted() != other.sorted() { return "\(String(merged)), and \(String(other)) in the other order" }
    if left == right {
      counts.equal += 1
      if merged != left { return "\(String(merged)) of two that are equal" }
    }
    if left == ancestor || right == ancestor {
      counts.unchanged += 1
      if merged != (left == ancestor ? right : left) { return "\(String(merged)) where one changed nothing" }
    }
    for letter in Set(ancestor + left + right).sorted() {
      if let problem = amount(of: letter, in: merged, &counts) { return problem }
    }
    return order(of: merged, &counts)
  }

  /// What is wrong with how often an element is there.
  private func amount(of letter: Character, in merged: [Character], _ counts: inout Counts) -> String? {
    func count(_ list: [Character]) -> Int { list.count { $0 == letter } }
    let (before, left, right, found) = (count(ancestor), count(left), count(right), count(merged))
    // Which of equal elements one removed is not to be told: two that remove one have removed the same.
    let kept = min(before, left, right)
    let inserted = [left, right].map { max($0 - before, 0) }
    let (isMovedLeft, isMovedRight) = (Self.moved(self.left, ancestor), Self.moved(self.right, ancestor))
    if inserted.allSatisfy({ $0 > 0 }) {
      counts.insertedByBoth += 1
    } else if inserted != [0, 0] {
      counts.insertedByOne += 1
    }
    if left < before, right < before { counts.removedByBoth += 1 }
    if left < before && isMovedRight.contains(letter) || right < before && isMovedLeft.contains(letter) {
      counts.removedAndMoved += 1
    }
    if isMovedLeft.contains(letter), isMovedRight.contains(letter) { counts.movedByBoth += 1 }
    // What both inserted alike is there once.
    let (least, most) = (kept + max(inserted[0], inserted[1]), kept + inserted[0] + inserted[1])
    if found < most { counts.insertedAlike += 1 }
    return (least...most).contains(found)
      ? nil : "\(String(merged)) has \(letter) \(found) times, not \(least) to \(most)"
  }

  /// What is wrong with the order.
  private func order(of merged: [Character], _ counts: inout Counts) -> String? {
    for (side, other, own) in [(left, right, "xy"), (right, left, "zw")] where left != right {
      if merged.filter(own.contains) != side.filter(own.contains) {
        return "\(String(merged)) has \(own) in another order"
      }
      guard side.filter({ !own.contains($0) }) == ancestor else { continue }
      counts.onlyInserted += 1
      if merged.filter({ !own.contains($0) }) != other { return "\(String(merged)) where one only inserted" }
    }
    // Where both move elements, each stands where it was moved to, which may turn two of them round.
    if !Self.moved(left, ancestor).isEmpty, !Self.moved(right, ancestor).isEmpty { return nil }
    let lists = [left, right, merged]
    let single = Set(ancestor).filter { letter in (lists + [ancestor]).allSatisfy { $0.count { $0 == letter } == 1 } }
    for first in single {
      for second in single where first != second {
        let isBefore = lists.map { list in
          (list.firstIndex(of: first) ?? 0) < (list.firstIndex(of: second) ?? 0)
        }
        guard isBefore[0], isBefore[1] else { continue }
        counts.ordered += 1
        if !isBefore[2] { return "\(String(merged)) has \(second) before \(first)" }
      }
    }
    return nil
  }

  /// The letters of which a list has some in another order than its ancestor, the first of equal ones being the first.
  private static func moved(_ list: [Character], _ ancestor: [Character]) -> Set<Character> {
    func numbered(_ list: [Character], upTo other: [Character]) -> [(letter: Character, number: Int)] {
      var known: [Character: Int] = [:]
      return list.compactMap { letter in
        let number = known[letter, default: 0]
        known[letter] = number + 1
        return number < other.count { $0 == letter } ? (letter, number) : nil
      }
    }
    let (kept, former) = (numbered(list, upTo: ancestor), numbered(ancestor, upTo: list))
    return Set(zip(kept, former).filter { $0 != $1 }.map(\.0.letter))
  }

  private static func merged(
    _ left: [Character], _ right: [Character], _ ancestor: [Character]
  ) -> [Character]? {
    func value(_ list: [Character]) -> SyncValue { .list(list.map { .text(String($0)) }) }
    guard
      case .list(let elements) = SyncMergePolicy.orderedList.merged(
        value(left), value(right), ancestor: value(ancestor))
    else { return nil }
    return elements.compactMap { if case .text(let text) = $0 { text.first } else { nil } }
  }
}
