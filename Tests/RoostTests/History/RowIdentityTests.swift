import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Which row a model is, whatever its class is called.
@Suite struct RowIdentityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open<Model: PersistentModel>(_ model: Model.Type) throws -> ModelContext {
    ModelContext(try ModelContainer(for: model, configurations: ModelConfiguration(url: folder.store)))
  }

  @Test func `an identity, and an identifier, that was encoded before the class was renamed finds its row`() throws {
    var context = try open(SongsV1.Song.self)
    let songs = ["a", "b"].map { SongsV1.Song(title: $0) }
    for song in songs { context.insert(song) }
    #expect(try context.rowIdentity(of: songs[0]) == nil)
    try context.save()
    let coder = JSONEncoder()
    let identity = try coder.encode(context.rowIdentity(of: songs[1]))
    let identifier = try coder.encode(songs[1].persistentModelID)
    try context.container.close()
    context = try open(SongsV2.Song.self)
    try context.container.close()
    context = try open(SongsV3.Track.self)
    let row = try JSONDecoder().decode(RowIdentity.self, from: identity)
    let found = try context.model(forRow: row)
    let track = try #require(found as? SongsV3.Track)
    #expect(track.name == "b" && track.persistentModelID.key == 2)
    #expect(try context.rowIdentity(of: track) == row)
    let former = try JSONDecoder().decode(PersistentIdentifier.self, from: identifier)
    #expect(context.model(for: former) === track)
    let registered: SongsV3.Track? = context.registeredModel(for: former)
    #expect(registered === track)
    context.delete(track)
    try context.save()
    #expect(try context.model(forRow: row) == nil)
  }

  @Test func `history tells of the same identity before and after a renaming`() throws {
    var context = try open(SongsV2.Song.self)
    let song = SongsV2.Song(name: "a")
    context.insert(song)
    try context.save()
    let row = try #require(try context.rowIdentity(of: song))
    try context.container.close()
    context = try open(SongsV3.Track.self)
    for track in try context.fetch(FetchDescriptor<SongsV3.Track>()) {
      track.name = "b"
      try context.save()
      context.delete(track)
    }
    try context.save()
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(transactions.flatMap(\.changes).map(\.rowIdentity) == [row, row, row])
    guard case .delete(let delete as DefaultHistoryDelete<SongsV3.Track>)? = transactions.last?.changes.first else {
      Issue.record("no deletion of a track")
      return
    }
    #expect(delete.rowIdentity == row)
  }

  @Test func `no row gets the identity of one that was deleted, through openings and a migration`() throws {
    var identities: Set<RowIdentity> = []
    func replaceLast<Model: PersistentModel>(_ make: (String) -> Model) throws {
      let context = try open(Model.self)
      let last = try context.fetch(FetchDescriptor<Model>(sortBy: [SortDescriptor(\.persistentModelID)])).last
      if let last { context.delete(last) }
      try context.save()
      let models = ["a", "b"].map(make)
      for model in models { context.insert(model) }
      try context.save()
      for model in models {
        let identity = try #require(try context.rowIdentity(of: model))
        #expect(identities.insert(identity).inserted)
      }
      for model in models { context.delete(model) }
      try context.save()
      try context.container.close()
    }
    for _ in 0..<3 { try replaceLast { SongsV1.Song(title: $0) } }
    for _ in 0..<3 { try replaceLast { SongsV2.Song(name: $0) } }
    for _ in 0..<3 { try replaceLast { SongsV3.Track(name: $0) } }
    #expect(identities.count == 18 && Set(identities.map(\.key)) == Set(1...18))
  }

  @Test func `an identity of another store, or of a row of a subclass, is told apart`() throws {
    let container = try ModelContainer(
      for: Part.self, Spare.self, configurations: ModelConfiguration(url: folder.store))
    let context = ModelContext(container)
    let spare = Spare(width: 1)
    context.insert(spare)
    try context.save()
    let row = try #require(try context.rowIdentity(of: spare))
    #expect(try context.model(forRow: row) === spare)
    let other = try HistoryFixture(inMemory: true)
    #expect(try other.context.model(forRow: row) == nil)
    let off = try HistoryFixture(.off)
    let fan = Fan(name: "a")
    off.context.insert(fan)
    try off.context.save()
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try off.context.rowIdentity(of: fan) }
  }

  @Test func `history's numbers are read once, however often they are asked for`() throws {
    let recorder = StatementRecorder()
    let configuration = ModelConfiguration(url: folder.store).recording(to: recorder)
    let container = try ModelContainer(for: SongsV1.Song.self, configurations: configuration)
    let context = ModelContext(container)
    func read() -> Int { recorder.statements.count { $0.contains("FROM _roost_field") } }
    let songs = ["a", "b"].map { SongsV1.Song(title: $0) }
    for song in songs { context.insert(song) }
    try context.save()
    let consumer = try context.historyConsumer("reader")
    let observer = try HistoryObserver(
      observedModels: [SongsV1.Song.self], modelContainer: container, isolation: nil)
    let before = read()
    #expect(before > 0)
    for song in songs {
      let row = try #require(try context.rowIdentity(of: song))
      #expect(try context.model(forRow: row) === song)
      song.title += "!"
      try context.save()
    }
    #expect(observer.eventCounter == 1)
    #expect(try consumer.unreadTransactions().count == 2)
    #expect(read() == before)
  }

  /// Adds 5 to the number of each model.
  private func renumber(_ file: URL, with other: String = "SELECT 1") throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: file.path)))
    defer { connection.close() }
    try connection.execute("BEGIN; UPDATE _roost_field SET number = number + 5 WHERE name = ''; \(other); COMMIT")
  }

  @Test func `numbers that come with other tables, or with a backup, are read anew`() throws {
    let context = try open(SongsV1.Song.self)
    let song = SongsV1.Song(title: "a")
    context.insert(song)
    try context.save()
    let row = try #require(try context.rowIdentity(of: song))
    let copy = folder.url.appending(path: "copy.store")
    try context.container.backup(to: copy)
    try renumber(folder.store, with: "CREATE TABLE theirs (a)")
    let later = try #require(try context.rowIdentity(of: song))
    #expect(later.entity == row.entity + 5)
    #expect(try context.model(forRow: later) === song && context.model(forRow: row) == nil)
    try renumber(copy)
    for times in 2...3 {
      try renumber(copy)
      try ModelContainer.restore(ModelConfiguration(url: folder.store), from: copy)
      #expect(try context.rowIdentity(of: song)?.entity == row.entity + Int64(times) * 5)
    }
  }
}
