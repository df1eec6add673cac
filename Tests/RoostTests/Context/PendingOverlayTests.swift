import Foundation
import Roost
import Testing

/// What queries see of unsaved changes that cannot be written.
@Suite struct PendingOverlayTests {
  @Test func `queries work again once a value is mended that could not be shown`() throws {
    let container = try ModelContainer(for: Scale.self, configurations: .init(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Scale(weight: 1))
    try context.save()
    let scale = Scale(weight: .nan)
    context.insert(scale)
    #expect(throws: SwiftDataError.self) { try context.fetchCount(FetchDescriptor<Scale>()) }
    scale.weight = 2
    let heavy = FetchDescriptor<Scale>(predicate: #Predicate { $0.weight > 1 })
    #expect(try context.fetchCount(heavy) == 1)
    #expect(try context.fetch(FetchDescriptor<Scale>(sortBy: [SortDescriptor(\.weight)])).map(\.weight) == [1, 2])
  }
}

@Model private final class Scale {
  var weight: Double

  init(weight: Double) { self.weight = weight }
}
