public import RoostCore

/// What is kept of a deleted model: the values of its properties marked `.preserveValueOnDeletion`.
///
/// ```swift
/// @Attribute(.preserveValueOnDeletion) var name: String
/// let name = delete.tombstone[\.name] as? String
/// ```
/// A sequence of the values, in the order of the properties. Source: SwiftData's `HistoryTombstone`.
public struct HistoryTombstone<Model>: Sequence, @unchecked Sendable where Model: PersistentModel {
  // SAFETY: immutable; the values are those of attributes, which are decoded anew and which nobody else has, and key
  // paths of models are immutable.
  private let values: [(keyPath: PartialKeyPath<Model>, value: Any)]

  init(_ values: [(keyPath: PartialKeyPath<Model>, value: Any)]) { self.values = values }

  /// The value of a property; nil if it is not kept.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    guard let value = values.first(where: { $0.keyPath == keyPath })?.value else { return nil }
    // SAFETY: the protocol has no requirements, so that both are the same in memory; see above for why it may be sent.
    return unsafeBitCast(Kept(value: value), to: SendableValue.self).value
  }

  // In a struct each, as a function that takes `Any` is given what is in it.
  private struct Kept { let value: Any }
  private struct SendableValue { let value: any Sendable }

  /// An iterator over the values.
  public func makeIterator() -> Iterator { Iterator(values: values.makeIterator()) }

  /// The type of the values.
  public typealias Element = Any

  /// Goes through the values.
  public struct Iterator: IteratorProtocol {
    var values: IndexingIterator<[(keyPath: PartialKeyPath<Model>, value: Any)]>

    /// The next value; nil at the end.
    public mutating func next() -> Any? { values.next()?.value }

    /// The type of the values.
    public typealias Element = Any
  }
}
