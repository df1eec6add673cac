import Foundation
import Roost
import Testing

@Model private final class Poster {
  @Attribute(.unique) var title: String
  var text: String?

  init(title: String, text: String?) {
    self.title = title
    self.text = text
  }
}

/// Texts that statements read where the models have them. What reads freed memory shows under AddressSanitizer.
@Suite struct HeldTextTests {
  private func title(_ number: Int) -> String { "the poster with the number \(number)" }

  @Test func `saves read the models' own texts, whatever becomes of them afterwards`() throws {
    let container = try ModelContainer(
      for: Poster.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    for round in 0..<4 {
      let context = ModelContext(container)
      // Inserted at first, then updates of the rows with these titles; the models go with their context.
      for number in 0..<50 {
        let text = number % 3 == 0 ? nil : "round \(round) of poster \(number), long enough"
        context.insert(Poster(title: title(number), text: text))
      }
      try context.save()
      var descriptor = FetchDescriptor<Poster>(sortBy: [SortDescriptor(\.title)])
      descriptor.fetchLimit = 10
      for poster in try context.fetch(descriptor) { poster.text = poster.text.map { $0 + " and edited" } }
      try context.save()
    }
    let posters = try ModelContext(container).fetch(FetchDescriptor<Poster>())
    #expect(Set(posters.map(\.title)) == Set((0..<50).map(title)))
    #expect(posters.compactMap(\.text).allSatisfy { $0.hasPrefix("round 3 of poster ") })
    #expect(posters.count { $0.text?.hasSuffix(" and edited") ?? false } > 0)
  }
}
