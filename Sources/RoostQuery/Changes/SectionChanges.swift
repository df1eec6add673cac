public import Foundation
import RoostCore

/// What has become of results in sections, as ``ResultsChanges/sections``.
///
/// To a table of sections it is applied in this order: items that are deleted or moved are taken out, sections deleted
/// and inserted, and items that are inserted or moved put in, the first one first. Paths are those of section and item,
/// as of ``ResultsObserver/element(at:)``. The items of sections that are inserted or deleted are told too.
///
/// A model stays where it is if its section does, and if no more of that section could stay without it.
public struct SectionChanges<SectionTitle>: Equatable where SectionTitle: Hashable {
  /// The titles of all sections in their order, as they are after the changes.
  public let titles: [SectionTitle]
  /// Where the sections were that are not there any more. One that stands elsewhere is deleted and inserted.
  public let deletions: IndexSet
  /// Where the sections are that were not there.
  public let insertions: IndexSet
  /// Where the models were that are not among the results any more, ascending.
  public let itemDeletions: [IndexPath]
  /// Where the models are that were not among the results, ascending.
  public let itemInsertions: [IndexPath]
  /// The models that came to another section, or stand elsewhere in theirs; ascending by where they are.
  public let itemMoves: [ResultsMove<IndexPath>]
  /// Where the models are that have other values, ascending.
  public let itemUpdates: [IndexPath]

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && itemDeletions.isEmpty && itemInsertions.isEmpty && itemMoves.isEmpty
      && itemUpdates.isEmpty
  }
}

extension SectionChanges: Sendable where SectionTitle: Sendable {}

extension SectionChanges {
  /// `updates` is where models are, among all, that have other values.
  init<Element>(
    from old: SectionedResults<Element, SectionTitle>, to new: SectionedResults<Element, SectionTitle>,
    updates: IndexSet
  ) {
    let sections = ListDifference(from: old.sectionTitles, to: new.sectionTitles)
    let moved = sections.moves
    let (oldPlaces, newPlaces) = (old.places, new.places)
    // Those that are not moved. Their order is the same, so that what ascends within each of them does throughout.
    var staying: [Int?] = Array(repeating: nil, count: old.count)
    for pair in sections.kept { staying[pair.old] = pair.new }
    for move in moved { staying[move.from] = nil }
    let items = ListDifference(
      from: old.models.map(ObjectIdentifier.init), to: new.models.map(ObjectIdentifier.init),
      mayStay: { staying[oldPlaces[$0].section] == newPlaces[$1].section })
    titles = new.sectionTitles
    deletions = IndexSet(sections.deletions + moved.map(\.from))
    insertions = IndexSet(sections.insertions + moved.map(\.to))
    itemDeletions = items.deletions.map { oldPlaces[$0].path }
    itemInsertions = items.insertions.map { newPlaces[$0].path }
    itemMoves = items.moves.map { ResultsMove(from: oldPlaces[$0.from].path, to: newPlaces[$0.to].path) }
    itemUpdates = updates.map { newPlaces[$0].path }
  }
}

/// A model's section, and its position there.
private struct Place {
  let section: Int
  let item: Int
  var path: IndexPath { IndexPath(indexes: [section, item]) }
}

extension SectionedResults {
  /// Those of all models, in their order.
  fileprivate var places: [Place] {
    indices.flatMap { section in self[section].indices.map { Place(section: section, item: $0) } }
  }
}
