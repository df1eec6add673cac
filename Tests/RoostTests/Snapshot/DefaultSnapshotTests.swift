import Foundation
import Roost
import Testing

@Suite struct DefaultSnapshotTests {
  private func snapshot(_ model: some PersistentModel) -> DefaultSnapshot {
    var related: [PersistentIdentifier: any BackingData] = [:]
    return DefaultSnapshot(from: model.persistentBackingData, relatedBackingDatas: &related)
  }

  @Test func `random models come back from their encoded snapshots`() throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let subject = Subject(random: &random)
      subject.double = random.pick([.infinity, -.infinity, 1, 0.1])
      let original = snapshot(subject)
      let decoded = try JSONDecoder().decode(DefaultSnapshot.self, from: JSONEncoder().encode(original))
      #expect(decoded == original, "ROOST_SEED=\(seed)")
      let fresh: some BackingData<Subject> = Subject.createBackingData()
      #expect(decoded._applyToBackingData(fresh))
      var related: [PersistentIdentifier: any BackingData] = [:]
      let copy = DefaultSnapshot(from: fresh, relatedBackingDatas: &related)
        .copy(persistentIdentifier: subject.persistentModelID)
      #expect(copy == original, "ROOST_SEED=\(seed)")
    }
  }

  @Test func `related models' backing data is handed out`() {
    let author = Author(name: "A")
    let book = Book(title: "T", author: author)
    book.tags = ["x", "y"].map(Tag.init)
    var related: [PersistentIdentifier: any BackingData] = [:]
    let snapshot = DefaultSnapshot(from: book.persistentBackingData, relatedBackingDatas: &related)
    #expect(snapshot.persistentIdentifier == book.persistentModelID)
    #expect(Set(related.keys) == Set([author.persistentModelID] + book.tags.map(\.persistentModelID)))
  }

  @Test func `a copy has another identity and refers to other models`() throws {
    let context = try makeLibrary()
    let (first, second) = (Author(name: "A"), Author(name: "B"))
    let book = Book(title: "T", author: first)
    [first, second].forEach { context.insert($0) }
    try context.save()
    let copy = snapshot(book).copy(
      persistentIdentifier: second.persistentModelID,
      remappedIdentifiers: [first.persistentModelID: second.persistentModelID])
    #expect(copy.persistentIdentifier == second.persistentModelID)
    #expect(copy._applyToBackingData(book.persistentBackingData))
    #expect(book.author === second)
  }

  @Test func `what cannot be set sets nothing`() throws {
    let context = try makeLibrary()
    let book = Book(title: "T")
    context.insert(book)
    let other = Book(title: "U", author: Author(name: "in no context"))
    #expect(!snapshot(other)._applyToBackingData(book.persistentBackingData))
    #expect(book.title == "T")
    #expect(!snapshot(Tag(name: "x"))._applyToBackingData(book.persistentBackingData))
  }

  @Test func `a snapshot type of a program's own is applied by its coding keys`() {
    let tag = Tag(name: "x")
    var related: [PersistentIdentifier: any BackingData] = [:]
    var own = TagSnapshot(from: tag.persistentBackingData, relatedBackingDatas: &related)
    own.name = "y"
    #expect(own._applyToBackingData(tag.persistentBackingData))
    #expect(tag.name == "y")
  }

  @Test func `backing data of a program's own is asked by key path`() {
    let data = TagBackingData(for: Tag.self)
    data.storage.name = "x"
    var related: [PersistentIdentifier: any BackingData] = [:]
    let snapshot = DefaultSnapshot(from: data, relatedBackingDatas: &related)
    let target = TagBackingData(for: Tag.self)
    #expect(snapshot._applyToBackingData(target))
    #expect(target.storage.name == "x")
  }
}

private struct TagSnapshot: DataStoreSnapshot {
  let persistentIdentifier: PersistentIdentifier
  var name: String

  init(from data: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]) {
    let snapshot = DefaultSnapshot(from: data, relatedBackingDatas: &relatedBackingDatas)
    persistentIdentifier = snapshot.persistentIdentifier
    name = ""
  }

  func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> TagSnapshot { self }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    persistentIdentifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
    name = try container.decode(String.self, forKey: .modeledProperty("name"))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    try container.encode(name, forKey: .modeledProperty("name"))
    try container.encode([PersistentIdentifier](), forKey: .modeledProperty("books"))
  }
}

/// Keeps a tag's values in a model of its own, which stands for whatever a custom store keeps them in.
private struct TagBackingData: BackingData {
  let storage = Tag(name: "")

  init(for modelType: Tag.Type) {}

  var persistentModelID: PersistentIdentifier? {
    get { nil }
    set {}
  }
  var metadata: Any { Tag.schemaMetadata }

  func getValue<Value>(forKey key: KeyPath<Tag, Value>) -> Value where Value: Decodable {
    storage[keyPath: key]
  }
  func getValue<Value>(forKey key: KeyPath<Tag, Value>) -> Value where Value: PersistentModel {
    storage[keyPath: key]
  }
  func getValue<Value>(forKey key: KeyPath<Tag, Value?>) -> Value? where Value: PersistentModel {
    storage[keyPath: key]
  }
  func getValue<Value, OtherModel>(forKey key: KeyPath<Tag, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { storage[keyPath: key] }
  func getValue<Value, OtherModel>(forKey key: KeyPath<Tag, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { storage[keyPath: key] }
  func getTransformableValue<Value>(forKey key: KeyPath<Tag, Value>) -> Value { storage[keyPath: key] }

  func setValue<Value>(forKey key: KeyPath<Tag, Value>, to value: Value) where Value: Encodable {
    set(key, value)
  }
  func setValue<Value>(forKey key: KeyPath<Tag, Value>, to value: Value) where Value: PersistentModel {
    set(key, value)
  }
  func setValue<Value>(forKey key: KeyPath<Tag, Value?>, to value: Value?) where Value: PersistentModel {
    set(key, value)
  }
  func setValue<Value, OtherModel>(forKey key: KeyPath<Tag, Value>, to value: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { set(key, value) }
  func setValue<Value, OtherModel>(forKey key: KeyPath<Tag, Value>, to value: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { set(key, value) }
  func setTransformableValue<Value>(forKey key: KeyPath<Tag, Value>, to value: Value) { set(key, value) }

  private func set<Value>(_ key: KeyPath<Tag, Value>, _ value: Value) {
    if let key = key as? ReferenceWritableKeyPath<Tag, Value> { storage[keyPath: key] = value }
  }
}
