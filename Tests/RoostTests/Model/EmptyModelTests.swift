import Roost
import Testing

/// A model that has no property at all: only relationships to it tell one from the other.
@Suite struct EmptyModelTests {
  @Test(arguments: [false, true]) func `it is found by its identifier, and by what refers to it`(isDraft: Bool) throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let container = try ModelContainer(for: Ring.self, configurations: configuration)
    let (context, ring, keys) = (ModelContext(container), Ring(), [DoorKey(), DoorKey()])
    context.insert(ring)
    ring.keys = keys
    ring.latest = keys[1]
    try context.save()
    let fresh = ModelContext(container)
    let reader = isDraft ? ModelContext(draftOf: fresh) : fresh
    let latest = try #require(reader.model(for: keys[1].persistentModelID) as? DoorKey)
    let found = try #require(reader.model(for: ring.persistentModelID) as? Ring)
    #expect(found.latest === latest && !latest.isDeleted && found.keys.contains { $0 === latest })
    #expect(try reader.fetchCount(FetchDescriptor<DoorKey>()) == 2)
    reader.delete(latest)
    try reader.save()
    try fresh.save()
    #expect(found.latest == nil && found.keys.count == 1)
    #expect(try ModelContext(container).fetch(FetchDescriptor<DoorKey>()).count == 1)
  }
}

@Model private final class Ring {
  @Relationship(inverse: nil) var keys: [DoorKey] = []
  @Relationship(inverse: nil) var latest: DoorKey?

  init() {}
}

@Model private final class DoorKey {
  init() {}
}
