import Foundation
import SwiftData
import Testing

/// As guides to SwiftData write models: soft deletion, and `@Transient` on what is computed.
@Model final class Memo {
  var title: String
  var isDeleted: Bool = false
  var hasChanges: Bool { title.isEmpty }
  @Transient var shout: String { title.uppercased() }
  @Transient var cached: Int? = nil

  init(title: String) { self.title = title }
}

extension Memo {
  @Transient var whisper: String { title.lowercased() }
}

@Model final class Folio: Hashable {
  var name: String

  init(name: String) { self.name = name }

  static func == (left: Folio, right: Folio) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite struct OwnNamesProgramTests {
  private func makeContext() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Memo.self, Folio.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test func `soft deletion is a property`() throws {
    let context = try makeContext()
    let (kept, gone) = (Memo(title: "Kept"), Memo(title: "Gone"))
    gone.isDeleted = true
    context.insert(kept)
    context.insert(gone)
    try context.save()
    let other = ModelContext(context.container)
    let shown = try other.fetch(
      FetchDescriptor<Memo>(predicate: #Predicate { !$0.isDeleted }, sortBy: [SortDescriptor(\.title)]))
    #expect(shown.map(\.title) == ["Kept"])
    #expect(shown[0].shout == "KEPT" && shown[0].whisper == "kept" && !shown[0].hasChanges)
    #expect(try other.fetchCount(FetchDescriptor<Memo>(predicate: #Predicate { $0.isDeleted })) == 1)
  }

  @Test func `models that the program calls equal are rows of their own`() throws {
    let context = try makeContext()
    context.insert(Folio(name: "a"))
    context.insert(Folio(name: "a"))
    try context.save()
    let found = try context.fetch(FetchDescriptor<Folio>())
    #expect(found.count == 2 && found[0] == found[1] && found[0] !== found[1])
    context.delete(found[0])
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Folio>()) == 1)
  }
}
