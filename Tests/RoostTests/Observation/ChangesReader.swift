import Foundation
import Roost

/// A model that tests compare by what its row holds.
protocol RowValues: PersistentModel {
  var rowValues: [AnyHashable?] { get }
}

extension Book: RowValues {
  var rowValues: [AnyHashable?] { [title, pages, published, genre, author?.persistentModelID] }
}

/// A reader of an observer's changes, with what it was told of last as a test keeps it by itself.
@MainActor final class ChangesReader<Model: RowValues, Title: Hashable & Sendable> {
  private let observer: ResultsObserver<Model, Title>
  private let key: SectionKey<Model, Title>?
  private var iterator: ResultsChangeSequence<Model, Title>.Iterator
  private var seen = SeenModels<Model, Title>()
  /// Whether models may be told as updated only if `rowValues` differ: a model has more values than that.
  private let isExact: Bool

  init(
    _ observer: ResultsObserver<Model, Title>, sectionBy key: SectionKey<Model, Title>? = nil, isExact: Bool = true
  ) throws {
    (self.observer, self.key, self.isExact) = (observer, key, isExact)
    _ = observer.results
    iterator = observer.changes.makeAsyncIterator()
    seen = try present()
  }

  /// Reads the changes, if a fetch says that there are any. nil when there are none; ""
  /// when all is right, or what is not.
  func read() async throws -> String? {
    let present = try present()
    if present == seen { return nil }
    defer { seen = present }
    guard let changes = await told({ await self.next() }) else { return "the changes are not told" }
    return seen.difference(changes, present, isExact: isExact) ?? ""
  }

  private func next() async -> ResultsChanges<Title>? {
    // A copy, as nothing of an actor's may be changed while it waits.
    var reader = iterator
    defer { iterator = reader }
    return await reader.next()
  }

  private func present() throws -> SeenModels<Model, Title> {
    let context = observer.modelContext
    guard let key else {
      return SeenModels(titles: [], parts: [try context.fetch(observer.fetchDescriptor)], isSectioned: false)
    }
    // A fetch alone does not read the related models again that its titles are of.
    _ = observer.sections
    let sections = try context.fetch(observer.fetchDescriptor, sectionBy: key)
    return SeenModels(titles: sections.sectionTitles, parts: sections.map { Array($0) }, isSectioned: true)
  }
}

/// Results as they were at some time.
private struct SeenModels<Model: RowValues, Title: Hashable>: Equatable {
  /// One model, by what tells it apart and what its row holds.
  struct Row: Hashable {
    let model: Model
    let identifier: PersistentIdentifier
    let values: [AnyHashable?]

    init(_ model: Model) { (self.model, identifier, values) = (model, model.persistentModelID, model.rowValues) }
  }

  var titles: [Title] = []
  var parts: [[Row]] = []
  var rows: [Row] = []
  var isSectioned = false

  init() {}

  init(titles: [Title], parts: [[Model]], isSectioned: Bool) {
    self.titles = titles
    self.parts = parts.map { $0.map { Row($0) } }
    rows = Array(self.parts.joined())
    self.isSectioned = isSectioned
  }

  static func == (lhs: SeenModels, rhs: SeenModels) -> Bool {
    lhs.titles == rhs.titles && lhs.parts == rhs.parts
  }

  /// What is wrong with changes that should lead from here to there.
  func difference(_ changes: ResultsChanges<Title>, _ new: SeenModels, isExact: Bool) -> String? {
    if changes.identifiers != new.rows.map(\.identifier) { return "other identifiers" }
    let (before, after) = (Dictionary(grouping: rows, by: \.model), Set(new.rows.map(\.model)))
    let deleted = rows.indices.filter { !after.contains(rows[$0].model) }
    if Array(changes.deletions) != deleted { return "deletions \(Array(changes.deletions)), not \(deleted)" }
    if changes.deletedIdentifiers != deleted.map({ rows[$0].identifier }) { return "other deleted identifiers" }
    let inserted = new.rows.indices.filter { before[new.rows[$0].model] == nil }
    if Array(changes.insertions) != inserted { return "insertions \(Array(changes.insertions)), not \(inserted)" }
    let updated = new.rows.indices.filter { !inserted.contains($0) && before[new.rows[$0].model] != [new.rows[$0]] }
    let areUpdatesRight =
      isExact ? Array(changes.updates) == updated : changes.updates.isSuperset(of: IndexSet(updated))
    if !areUpdatesRight { return "updates \(Array(changes.updates)), not \(updated)" }
    if applying(changes, new) != new.rows { return "applied: other rows" }
    let fewest = rows.count - deleted.count - Self.longestAscending(rows, new.rows)
    if changes.moves.count != fewest { return "\(changes.moves.count) moves, not \(fewest)" }
    guard let sections = changes.sections else { return isSectioned ? "no sections" : nil }
    return difference(sections, new, updates: changes.updates.count)
  }

  private func applying(_ changes: ResultsChanges<Title>, _ new: SeenModels) -> [Row] {
    let sources = Dictionary(uniqueKeysWithValues: changes.moves.map { ($0.to, $0.from) })
    var list = rows
    for position in changes.removals.reversed() { list.remove(at: position) }
    for position in changes.additions where position <= list.count {
      list.insert(sources[position].map { rows[$0] } ?? new.rows[position], at: position)
    }
    // Another model there is not an updated one.
    for position in changes.updates where position < list.count && list[position].model == new.rows[position].model {
      list[position] = new.rows[position]
    }
    return list
  }

  private func difference(_ changes: SectionChanges<Title>, _ new: SeenModels, updates: Int) -> String? {
    if changes.titles != new.titles { return "other titles" }
    let sources = Dictionary(uniqueKeysWithValues: changes.itemMoves.map { ($0.to, $0.from) })
    var table = zip(titles, parts).map { (title: $0, rows: $1) }
    for path in (changes.itemDeletions + changes.itemMoves.map(\.from)).sorted().reversed() {
      table[path[0]].rows.remove(at: path[1])
    }
    for section in changes.deletions.reversed() where !table.remove(at: section).rows.isEmpty {
      return "a deleted section has items"
    }
    for section in changes.insertions { table.insert((new.titles[section], []), at: section) }
    for path in (changes.itemInsertions + changes.itemMoves.map(\.to)).sorted() {
      let row = sources[path].map { parts[$0[0]][$0[1]] } ?? new.parts[path[0]][path[1]]
      table[path[0]].rows.insert(row, at: path[1])
    }
    for path in changes.itemUpdates {
      let row = new.parts[path[0]][path[1]]
      if table[path[0]].rows[path[1]].model == row.model { table[path[0]].rows[path[1]] = row }
    }
    if changes.itemUpdates.count != updates { return "other updates of items" }
    if table.map(\.title) != new.titles || table.map(\.rows) != new.parts { return "applied: another table" }
    let fewest = titles.count - Self.longestAscending(titles, new.titles)
    if changes.deletions.count != fewest { return "\(changes.deletions.count) sections go, not \(fewest)" }
    // A model stays in the longest ascending part of its section, if that stays.
    let staying = titles.indices.filter { !changes.deletions.contains($0) }.map { titles[$0] }
    let staysAtMost = staying.reduce(0) { count, title in
      count + Self.longestAscending(part(of: title), new.part(of: title))
    }
    let stays = rows.count - changes.itemDeletions.count - changes.itemMoves.count
    return stays == staysAtMost ? nil : "\(stays) items stay, not \(staysAtMost)"
  }

  private func part(of title: Title) -> [Row] { titles.firstIndex(of: title).map { parts[$0] } ?? [] }

  private static func longestAscending(_ old: [Row], _ new: [Row]) -> Int {
    longestAscending(old.map(\.model), new.map(\.model))
  }

  /// How much of two lists can stay where it is, by trying all in squared time.
  private static func longestAscending<Element: Equatable>(_ old: [Element], _ new: [Element]) -> Int {
    let positions = new.compactMap { element in old.firstIndex { $0 == element } }
    var lengths: [Int] = []
    for position in positions {
      lengths.append(1 + (lengths.indices.filter { positions[$0] < position }.map { lengths[$0] }.max() ?? 0))
    }
    return lengths.max() ?? 0
  }
}
