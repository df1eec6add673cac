import Foundation
import Roost
import Testing

/// What a draft deletes, or lets go of, in relationships that only join rows know.
@Suite struct DraftDeletionTests {
  private let context: ModelContext
  private let draft: ModelContext
  private let chest: DraftChest
  private let parts: [DraftPart]

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    context = ModelContext(try ModelContainer(for: DraftChest.self, configurations: configuration))
    let stored = DraftChest()
    parts = ["in", "out"].map { DraftPart(name: $0) }
    context.insert(stored)
    for part in parts { context.insert(part) }
    stored.parts = [parts[0]]
    stored.locks = [DraftLock()]
    try context.save()
    draft = ModelContext(draftOf: context)
    chest = try #require(draft.model(for: stored.persistentModelID) as? DraftChest)
  }

  private func stored<Model: PersistentModel>(_: Model.Type) throws -> [Model] {
    try ModelContext(context.container).fetch(FetchDescriptor<Model>())
  }

  private func copy(_ part: DraftPart) throws -> DraftPart {
    try #require(draft.model(for: part.persistentModelID) as? DraftPart)
  }

  @Test func `a deletion takes along what the draft has linked`() throws {
    chest.locks = []
    chest.parts.append(try copy(parts[1]))
    draft.delete(chest)
    try draft.save()
    try context.save()
    #expect(try stored(DraftPart.self).isEmpty && stored(DraftChest.self).isEmpty)
  }

  @Test func `a deletion spares what the draft has let go of, also where its rule is to deny`() throws {
    chest.locks = []
    chest.parts = [try copy(parts[1])]
    draft.delete(chest)
    try draft.save()
    #expect(!parts[0].isDeleted && parts[1].isDeleted)
    try context.save()
    #expect(try stored(DraftPart.self).map(\.name) == ["in"])
    #expect(try stored(DraftLock.self).count == 1 && stored(DraftChest.self).isEmpty)
  }
}

@Model private final class DraftChest {
  @Relationship(deleteRule: .cascade, inverse: nil) var parts: [DraftPart] = []
  @Relationship(deleteRule: .deny, inverse: nil) var locks: [DraftLock] = []

  init() {}
}

@Model private final class DraftPart {
  var name: String

  init(name: String) { self.name = name }
}

@Model private final class DraftLock {
  init() {}
}
