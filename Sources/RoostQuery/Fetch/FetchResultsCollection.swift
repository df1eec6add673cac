/// What a fetch found, read a batch at a time when its elements are asked for.
///
/// The matches and their order are those of the fetch. Only the batch touched last is kept, so that a walk over a
/// million models needs the memory of one batch and of the keys. A model whose row was deleted since says so
/// (`isDeleted`). A collection belongs to its context's actor. Source: SwiftData's `FetchResultsCollection`.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  private let batches: Batches

  /// Keeps the batch read last. Shared by copies of the collection, as they show the same.
  private final class Batches {
    let count: Int
    let size: Int
    let read: (Range<Int>) -> [Element]
    var current: (range: Range<Int>, elements: [Element])?

    init(count: Int, size: Int, read: @escaping (Range<Int>) -> [Element]) {
      (self.count, self.size, self.read) = (count, Swift.max(size, 1), read)
    }

    func element(at position: Int) -> Element {
      if let current, current.range.contains(position) {
        return current.elements[position - current.range.lowerBound]
      }
      let start = position / size * size
      let range = start..<Swift.min(start + size, count)
      let elements = read(range)
      current = (range, elements)
      return elements[position - start]
    }
  }

  /// `read` gives the elements of a range of positions, as many as there are in it.
  init(count: Int, batchSize: Int, read: @escaping (Range<Int>) -> [Element]) {
    batches = Batches(count: count, size: batchSize, read: read)
  }

  /// Elements that were read already.
  init(_ elements: [Element]) {
    batches = Batches(count: elements.count, size: elements.count) { Array(elements[$0]) }
    batches.current = (0..<elements.count, elements)
  }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of matches.
  public var endIndex: Int { batches.count }

  /// The match at a position; reads its batch, unless that was the last one touched.
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < endIndex, "Position \(position) is not among the \(endIndex) matches.")
    return batches.element(at: position)
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "a collection of models belongs to its context's actor")
extension FetchResultsCollection: @unchecked Sendable {}
