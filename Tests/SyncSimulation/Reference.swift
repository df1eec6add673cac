/// What users wrote, as a plain list of it, and what must have become of it.
///
/// What is written to titles, prices, scans, covers, marks and lines is never written twice. So what a value replaced
/// tells what its author had seen: a value that was replaced by somebody who saw it can never be what all end with, and
/// any other that they do not end with must be in a journal.
struct Reference {
  /// What users added to the counter of each row.
  private var loans: [String: Int] = [:]
  private var best: [String: Int] = [:]
  /// The elements that users put into marks and lines of each row, and those that they took out.
  private var put: [String: Set<String>] = [:]
  private var takenOut: [String: Set<String>] = [:]
  /// The titles, prices, scans and covers that others replaced, and all that were written, by row.
  private var replaced: [String: Set<String>] = [:]
  private var written: [String: Set<String>] = [:]
  private var inserted: Set<String> = []
  /// The values that were written while they were not synced, and those that they replaced: which
  /// of them stays nobody can tell.
  private var unsynced: Set<String> = []
  /// The cards whose counts were changed then.
  private var isCountedAlone: Set<String> = []
  /// What each deletion of a row had seen of it.
  private var deletions: [String: [[String]]] = [:]
  /// Rows whose values somebody wrote again that had been replaced.
  private var decidedAgain: Set<String> = []
  /// Whether somebody decided a deletion again, which brings a row back later.
  private var bringsBack = false

  /// Notes what a user did: what the device showed before, and after. `syncsCards`: whether
  /// the program syncs all of a card.
  mutating func note(_ before: [String: RowFacts], _ after: [String: RowFacts], syncsCards: Bool) {
    for (name, row) in after {
      let former = before[name]
      if former == nil { inserted.insert(name) }
      let isSynced = syncsCards || !name.hasPrefix("card ")
      if !isSynced, row.loans != former?.loans ?? 0 { isCountedAlone.insert(name) }
      loans[name, default: 0] += row.loans - (former?.loans ?? 0)
      best[name] = max(best[name] ?? 0, row.best)
      let (elements, formerElements) = (
        Set(row.marks + row.lines), Set((former?.marks ?? []) + (former?.lines ?? []))
      )
      put[name, default: []].formUnion(elements.subtracting(formerElements))
      takenOut[name, default: []].formUnion(formerElements.subtracting(elements))
      for (place, value) in Self.values(of: row).enumerated() {
        let former = former.map { Self.values(of: $0)[place] }
        if value == former { continue }
        written[name, default: []].insert(value)
        if !isSynced {
          unsynced.formUnion([former ?? value, value])
        } else if let former, former != Self.nothing {
          replaced[name, default: []].insert(former)
        }
      }
    }
    for (name, row) in before where after[name] == nil { deletions[name, default: []].append(Self.values(of: row)) }
  }

  /// Somebody decided a conflict again, or undid what was done, which may bring any value back.
  /// `names`: of the rows that changed.
  mutating func noteDecision(_ names: some Sequence<String>) { decidedAgain.formUnion(names) }

  /// Somebody decided again whether a row is gone.
  mutating func noteDecisionOfDeletion() { bringsBack = true }

  /// The values of which none is written twice.
  private static func values(of row: RowFacts) -> [String] {
    [row.title, row.price.map { "\($0)" } ?? nothing, row.scan ?? nothing, row.cover ?? nothing]
  }

  /// Having no value is nobody's in particular.
  private static let nothing = "nothing"

  /// What is wrong with what all ended with; nil for nothing.
  ///
  /// `told`: the values that journals have. `hasCards`: whether all programs sync all of a card. `isTold`: whether a
  /// journal has that a row is gone which somebody edited.
  func problem(
    with rows: [String: RowFacts], _ told: Set<String>, hasCards: Bool, isTold: (String) -> Bool
  ) -> String? {
    for (name, row) in rows.sorted(by: { $0.key < $1.key }) {
      if let problem = problem(with: row, name, told) { return "\(name): \(problem)" }
    }
    // Nothing keeps a card, and what is edited of it gives way to its deletion.
    let back = rows.keys.filter { $0.hasPrefix("card ") && deletions[$0] != nil && !decidedAgain.contains($0) }
    if hasCards, !bringsBack, let card = back.min() { return "\(card) is there, and was deleted" }
    let gone = inserted.filter { rows[$0] == nil && !decidedAgain.contains($0) }.sorted()
    return gone.compactMap { problem(withGone: $0, hasCards: hasCards, isTold: isTold) }.first
  }

  private func problem(with row: RowFacts, _ name: String, _ told: Set<String>) -> String? {
    // What a user writes and deletes may never be sent.
    let isDeleted = deletions[name] != nil
    if !isDeleted, row.loans != loans[name] ?? 0, !isCountedAlone.contains(name) {
      return "it has \(row.loans) loans, and users made \(loans[name] ?? 0)"
    }
    if decidedAgain.contains(name) { return nil }
    if !isDeleted, row.best != best[name] ?? 0 { return "its best is \(row.best), and users wrote \(best[name] ?? 0)" }
    let expected = (put[name] ?? []).subtracting(takenOut[name] ?? [])
    let elements = row.marks + row.lines
    if !isDeleted, Set(elements) != expected || elements.count != expected.count {
      return "it has \(elements.sorted()), and users put in \(expected.sorted())"
    }
    let values = Self.values(of: row)
    let (written, replaced) = (written[name] ?? [], replaced[name] ?? [])
    if let value = values.first(where: { !written.contains($0) }) { return "nobody wrote \(value)" }
    if !isDeleted, let value = values.first(where: replaced.contains) {
      return "\(value) was replaced by somebody who saw it"
    }
    let known = replaced.union(values).union(deletions[name]?.flatMap(\.self) ?? []).union(told).union(unsynced).union([
      Self.nothing
    ])
    let lost = written.subtracting(known)
    return lost.isEmpty ? nil : "it has \(values), and no journal has \(lost.sorted())"
  }

  /// What is wrong with a row that is gone.
  private func problem(withGone name: String, hasCards: Bool, isTold: (String) -> Bool) -> String? {
    // Pictures go with topics and authors that others delete.
    if name.hasPrefix("picture ") { return nil }
    let isCard = name.hasPrefix("card ")
    if isCard, !hasCards { return nil }
    guard let deletions = deletions[name] else {
      // A review keeps what it is of.
      return isTold(name) && !name.hasPrefix("review ") ? nil : "\(name) is gone, and nobody deleted it"
    }
    // Somebody saw what was written last.
    if deletions.contains(where: { (replaced[name] ?? []).isDisjoint(with: $0) }) { return nil }
    if name.hasPrefix("topic ") { return "\(name) is gone, and nobody who deleted it saw what was written last" }
    // What a program does not sync is no edit.
    return isCard || isTold(name) ? nil : "\(name) is gone, and no journal tells who edited it"
  }
}
