public import Foundation
public import RoostCore

extension SortDescriptor where Compared: PersistentModel {
  /// Sorts by a `Bool`: false comes before true.
  public init(_ keyPath: any KeyPath<Compared, Bool> & Sendable, order: SortOrder = .forward) {
    self.init((keyPath as KeyPath<Compared, Bool>).appending(path: \.inOrder).assumedSendable, order: order)
  }

  /// Sorts by an optional `Bool`: nil comes first, then false.
  public init(_ keyPath: any KeyPath<Compared, Bool?> & Sendable, order: SortOrder = .forward) {
    self.init((keyPath as KeyPath<Compared, Bool?>).appending(path: \.inOrder).assumedSendable, order: order)
  }
}
