import Foundation
import RoostCore

/// An observer's results as a reader was told of them last.
struct SeenResults<Element, SectionTitle> where Element: PersistentModel, SectionTitle: Hashable {
  /// The observer's, by then.
  let version: Int
  /// The models themselves: a first save gives them other identifiers, and undo may bring back what was deleted.
  private let models: [Element]
  private let identifiers: [PersistentIdentifier]
  private let digests: [Int]
  private let sections: SectionedResults<Element, SectionTitle>?

  /// What the observer shows now.
  init(_ observer: ResultsObserver<Element, SectionTitle>) {
    version = observer.version
    sections = observer.shownSections
    models = sections?.models ?? observer.models
    identifiers = models.map(\.persistentModelID)
    let properties = observer.readProperties
    digests = models.map { $0._$digest(of: properties) }
  }

  /// What the observer shows now, where no other models than those can have changed since these. nil if they have.
  init?(_ observer: ResultsObserver<Element, SectionTitle>, after old: SeenResults, touched: Set<ObjectIdentifier>) {
    version = observer.version
    sections = observer.shownSections
    models = sections?.models ?? observer.models
    let (removed, added) = (old.models.positions(of: touched), models.positions(of: touched))
    guard old.models.count - removed.count == models.count - added.count else { return nil }
    let properties = observer.readProperties
    let shown = models
    identifiers = old.identifiers.replacing(removed, by: added.map { ($0, shown[$0].persistentModelID) })
    digests = old.digests.replacing(removed, by: added.map { ($0, shown[$0]._$digest(of: properties)) })
  }

  /// The same, where no other models than those can differ.
  func changes(to new: SeenResults, touched: Set<ObjectIdentifier>) -> ResultsChanges<SectionTitle>? {
    // Items of sections are compared by themselves.
    if sections != nil { return changes(to: new) }
    let (removed, added) = (models.positions(of: touched), new.models.positions(of: touched))
    let list = ListDifference(
      from: removed.map { (ObjectIdentifier(models[$0]), $0) },
      to: added.map { (ObjectIdentifier(new.models[$0]), $0) }, unchanged: models.count - removed.count)
    return changes(to: new, list)
  }

  /// nil when they are the same.
  func changes(to new: SeenResults) -> ResultsChanges<SectionTitle>? {
    changes(
      to: new, ListDifference(from: models.map(ObjectIdentifier.init), to: new.models.map(ObjectIdentifier.init)))
  }

  private func changes(to new: SeenResults, _ list: ListDifference) -> ResultsChanges<SectionTitle>? {
    let updates = list.kept.filter {
      digests[$0.old] != new.digests[$0.new] || identifiers[$0.old] != new.identifiers[$0.new]
    }
    let updated = IndexSet(updates.map(\.new))
    var sectionChanges: SectionChanges<SectionTitle>?
    if let sections, let newSections = new.sections {
      sectionChanges = SectionChanges(from: sections, to: newSections, updates: updated)
    }
    let changes = ResultsChanges(
      deletions: IndexSet(list.deletions), insertions: IndexSet(list.insertions),
      moves: list.moves.map { ResultsMove(from: $0.from, to: $0.to) }, updates: updated,
      identifiers: new.identifiers, deletedIdentifiers: list.deletions.map { identifiers[$0] },
      sections: sectionChanges)
    return changes.isEmpty ? nil : changes
  }
}

extension ResultsObserver {
  /// The positions of the properties that its fetches read; nil for all.
  fileprivate var readProperties: [Int]? {
    let keyPaths = descriptor.propertiesToFetch
    guard !keyPaths.isEmpty, let entity = modelContext.store.schema.entity(for: Element.self) else { return nil }
    return keyPaths.compactMap { entity.property(for: $0)?.index }
  }
}
