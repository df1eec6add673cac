public import Foundation
public import RoostCore

/// What has become of an observer's results since its reader was last told: what a list on a screen is changed by.
///
/// ```swift
/// for await changes in observer.changes {
///   for position in changes.removals.reversed() { rows.remove(at: position) }
///   for position in changes.additions { rows.insert(Row(observer.results[position]), at: position) }
///   for position in changes.updates { rows[position] = Row(observer.results[position]) }
/// }
/// ```
/// Whoever keeps something for each model, as above, has it in the results' order afterwards. Positions of what goes
/// are those before any of the changes, positions of what is there afterwards those after all of them. No other set of
/// changes has fewer moves. A model may have been updated and moved.
///
/// A model is updated when its row holds another value, or would after a save: an attribute, or what a single
/// relationship refers to. Lists of models are columns of other rows. Its first save, which gives it its lasting
/// identifier, is an update of it and of those that refer to it; so is the save that puts a large value into a file.
///
/// The value holds no models: other actors may have it, if the titles may be sent.
public struct ResultsChanges<SectionTitle>: Equatable where SectionTitle: Hashable {
  /// Where the models were that are not among the results any more.
  public let deletions: IndexSet
  /// Where the models are that were not among the results.
  public let insertions: IndexSet
  /// The models that others did not make room for or close up to, and that stand
  /// elsewhere; ascending by where they are.
  public let moves: [ResultsMove<Int>]
  /// Where the models are that have other values.
  public let updates: IndexSet
  /// All results in their order, as they are after the changes.
  public let identifiers: [PersistentIdentifier]
  /// The deleted models' identifiers as the reader knew them, in the former order.
  public let deletedIdentifiers: [PersistentIdentifier]
  /// The same changes by sections; nil without sections.
  public let sections: SectionChanges<SectionTitle>?

  /// The inserted models' identifiers, in the order of ``insertions``.
  public var insertedIdentifiers: [PersistentIdentifier] { insertions.map { identifiers[$0] } }

  /// The moved models' identifiers, in the order of ``moves``.
  public var movedIdentifiers: [PersistentIdentifier] { moves.map { identifiers[$0.to] } }

  /// The updated models' identifiers, in the order of ``updates``.
  public var updatedIdentifiers: [PersistentIdentifier] { updates.map { identifiers[$0] } }

  /// Where models were that are deleted or moved: to be taken out, the last one first.
  public var removals: IndexSet { deletions.union(IndexSet(moves.map(\.from))) }

  /// Where models are that are inserted or moved: to be put in afterwards, the first one first.
  public var additions: IndexSet { insertions.union(IndexSet(moves.map(\.to))) }

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty && sections?.isEmpty ?? true
  }
}

extension ResultsChanges: Sendable where SectionTitle: Sendable {}

/// A model that stands elsewhere than before.
///
/// `Position` is an index among the results, or an `IndexPath` of section and item.
public struct ResultsMove<Position>: Hashable, Sendable where Position: Hashable & Sendable {
  /// Where the model was, before any of the changes.
  public let from: Position
  /// Where the model is, after all of the changes.
  public let to: Position
}
