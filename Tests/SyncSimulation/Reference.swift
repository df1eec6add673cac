/// What users wrote, as a plain list of it, and what must have become of it.
///
/// What is written to titles, prices, scans, covers, marks and lines is never written twice. So what a value replaced tells what its author
/// had seen: a value that was replaced by somebody who saw it can never be what all end with.
struct Reference {
  /// What users added to the counter of each book.
  private var loans: [String: Int] = [:]
  private var best: [String: Int] = [:]
  /// The elements that users put into marks and lines of each book, and those that they took out.
  private var put: [String: Set<String>] = [:]
  private var takenOut: [String: Set<String>] = [:]
  /// The titles, prices, scans and covers that others replaced, and all that were written, by book.
  private var replaced: [String: Set<String>] = [:]
  private var written: [String: Set<String>] = [:]
  private var inserted: Set<String> = []
  private var deleted: Set<String> = []
  /// Books whose values somebody wrote again that had been replaced.
  private var decidedAgain: Set<String> = []

  /// Notes what a user did: what the device showed before, and after.
  mutating func note(_ before: [String: BookFacts], _ after: [String: BookFacts]) {
    for (code, book) in after {
      let former = before[code]
      if former == nil { inserted.insert(code) }
      loans[code, default: 0] += book.loans - (former?.loans ?? 0)
      best[code] = max(best[code] ?? 0, book.best)
      let (elements, formerElements) = (
        Set(book.marks + book.lines), Set((former?.marks ?? []) + (former?.lines ?? []))
      )
      put[code, default: []].formUnion(elements.subtracting(formerElements))
      takenOut[code, default: []].formUnion(formerElements.subtracting(elements))
      for (place, value) in Self.values(of: book).enumerated() {
        let former = former.map { Self.values(of: $0)[place] }
        if value == former { continue }
        written[code, default: []].insert(value)
        if let former { replaced[code, default: []].insert(former) }
      }
    }
    deleted.formUnion(before.keys.filter { after[$0] == nil })
  }

  /// Somebody decided a conflict again, or undid what was done, which may bring any value back. `codes`: of the books that changed.
  mutating func noteDecision(_ codes: some Sequence<String>) { decidedAgain.formUnion(codes) }

  /// The values of which none is written twice.
  private static func values(of book: BookFacts) -> [String] {
    [book.title, book.price.map { "\($0)" } ?? nothing, book.scan ?? nothing, book.cover ?? nothing]
  }

  /// Having no value is nobody's in particular.
  private static let nothing = "nothing"

  /// What is wrong with what all ended with; nil for nothing.
  ///
  /// `isExplained`: whether a book may be gone that nobody deleted, as its author was.
  func problem(with books: [String: BookFacts], isExplained: (String) -> Bool) -> String? {
    for (code, book) in books.sorted(by: { $0.key < $1.key }) where !deleted.contains(code) {
      if let problem = problem(with: book, code) { return "\(code): \(problem)" }
    }
    let gone = inserted.filter { books[$0] == nil && !deleted.contains($0) && !isExplained($0) }
    return gone.min().map { "\($0) is gone, and nobody deleted it" }
  }

  private func problem(with book: BookFacts, _ code: String) -> String? {
    if decidedAgain.contains(code) { return nil }
    if book.loans != loans[code] ?? 0 { return "it has \(book.loans) loans, and users made \(loans[code] ?? 0)" }
    if book.best != best[code] ?? 0 { return "its best is \(book.best), and users wrote \(best[code] ?? 0)" }
    let expected = (put[code] ?? []).subtracting(takenOut[code] ?? [])
    let elements = book.marks + book.lines
    if Set(elements) != expected || elements.count != expected.count {
      return "it has \(elements.sorted()), and users put in \(expected.sorted())"
    }
    for value in Self.values(of: book) {
      guard written[code]?.contains(value) ?? false else { return "nobody wrote \(value)" }
      if replaced[code]?.contains(value) ?? false, value != Self.nothing {
        return "\(value) was replaced by somebody who saw it"
      }
    }
    return nil
  }
}
