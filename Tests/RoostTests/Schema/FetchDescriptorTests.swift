import Foundation
import RoostCore
import RoostQuery
import Testing

@Suite("Fetch descriptors")
struct FetchDescriptorTests {
  private func descriptor(_ title: String) -> FetchDescriptor<Library.Book> {
    FetchDescriptor(predicate: titled(title), sortBy: [SortDescriptor(\.title)])
  }

  private func titled(_ title: String) -> Predicate<Library.Book> {
    Predicate<Library.Book> { book in
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.build_KeyPath(root: book, keyPath: \.title),
        rhs: PredicateExpressions.build_Arg(title))
    }
  }

  @Test("A new descriptor asks for all models, with pending changes")
  func defaults() {
    let descriptor = FetchDescriptor<Library.Book>()
    #expect(descriptor.predicate == nil)
    #expect(descriptor.sortBy.isEmpty)
    #expect(descriptor.fetchLimit == nil)
    #expect(descriptor.fetchOffset == nil)
    #expect(descriptor.fetchAfter == nil)
    #expect(descriptor.includePendingChanges)
    #expect(descriptor.propertiesToFetch.isEmpty)
    #expect(descriptor.relationshipKeyPathsForPrefetching.isEmpty)
  }

  @Test("Descriptors are equal when their predicates say the same of the same values")
  func predicates() {
    #expect(descriptor("a") == descriptor("a"))
    #expect(descriptor("a") != descriptor("b"))
    #expect(descriptor("a") != FetchDescriptor(sortBy: [SortDescriptor(\.title)]))
    let pages = Predicate<Library.Book> { book in
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.build_KeyPath(root: book, keyPath: \.pages),
        rhs: PredicateExpressions.build_NilLiteral())
    }
    #expect(FetchDescriptor(predicate: titled("a")) != FetchDescriptor(predicate: pages))
    #expect(FetchDescriptor(predicate: pages) == FetchDescriptor(predicate: pages))
  }

  @Test("A predicate with an object that cannot be compared equals only those with the same object")
  func incomparable() {
    let box = Box()
    #expect(FetchDescriptor(predicate: flag(of: box)) == FetchDescriptor(predicate: flag(of: box)))
    #expect(FetchDescriptor(predicate: flag(of: box)) != FetchDescriptor(predicate: flag(of: Box())))
  }

  private final class Box: Codable, Sendable {
    let flag = true

    init() {}

    private enum CodingKeys: CodingKey {}
  }

  private func flag(of box: Box) -> Predicate<Library.Book> {
    Predicate<Library.Book> { _ in
      PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg(box), keyPath: \.flag)
    }
  }

  @Test("Every setting counts")
  func settings() {
    let changes: [(inout FetchDescriptor<Library.Book>) -> Void] = [
      { $0.fetchLimit = 3 }, { $0.fetchOffset = 3 },
      { $0.fetchAfter = Library.Book().persistentModelID }, { $0.includePendingChanges = false },
      { $0.sortBy = [] },
      { $0.propertiesToFetch = [\.title] }, { $0.relationshipKeyPathsForPrefetching = [\.author] },
    ]
    for change in changes {
      var other = descriptor("a")
      change(&other)
      #expect(other != descriptor("a"))
    }
  }
}
