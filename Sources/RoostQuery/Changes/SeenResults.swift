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

  /// nil when they are the same.
  func changes(to new: SeenResults) -> ResultsChanges<SectionTitle>? {
    let list = ListDifference(
      from: models.map(ObjectIdentifier.init), to: new.models.map(ObjectIdentifier.init))
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
