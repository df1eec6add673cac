import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// History of a store whose models change, and that is pruned.
@Suite struct HistoryMigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(_ history: ModelConfiguration.HistoryOptions = .init()) -> ModelConfiguration {
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.history = history
    return configuration
  }

  private func all(_ context: ModelContext) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
  }

  @Test func `a renamed property keeps its changes, and a migration is no change of rows`() throws {
    let old = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    let context = ModelContext(old)
    let song = SongsV1.Song(title: "a")
    context.insert(song)
    try context.save()
    song.title = "b"
    try context.save()
    try old.close()
    let new = try ModelContainer(for: SongsV2.Song.self, configurations: configuration())
    let later = ModelContext(new)
    let transactions = try all(later)
    #expect(transactions.map(\.changes.count) == [1, 1, 0])
    #expect(transactions.map { $0.migration != nil } == [false, false, true])
    guard case .update(let update as DefaultHistoryUpdate<SongsV2.Song>)? = transactions[1].changes.first else {
      Issue.record("no update of a song")
      return
    }
    #expect(update.updatedAttributes.map { $0 as PartialKeyPath<SongsV2.Song> } == [\SongsV2.Song.name])
    let same = try #require(try later.fetch(FetchDescriptor<SongsV2.Song>()).first)
    same.length = 3
    try later.save()
    guard case .update(let last as DefaultHistoryUpdate<SongsV2.Song>)? = try all(later).last?.changes.first else {
      Issue.record("no update of a song")
      return
    }
    #expect(last.updatedAttributes.map { $0 as PartialKeyPath<SongsV2.Song> } == [\SongsV2.Song.length])
  }

  @Test func `properties that exchange their names keep their changes, and something new has none`() throws {
    func updated<Model: PersistentModel>(_ context: ModelContext, _ type: Model.Type) throws -> [PartialKeyPath<Model>]
    {
      try all(context).flatMap(\.changes).flatMap { change -> [PartialKeyPath<Model>] in
        guard case .update(let update as DefaultHistoryUpdate<Model>) = change else { return [] }
        return update.updatedAttributes.map { $0 as PartialKeyPath<Model> }
      }
    }
    let old = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    let context = ModelContext(old)
    let song = SongsV1.Song(title: "a")
    context.insert(song)
    try context.save()
    song.title = "b"
    try context.save()
    try old.close()
    let copy = folder.url.appending(path: "copy.store")
    try FileManager.default.copyItem(at: folder.store, to: copy)

    let swapped = try ModelContainer(for: SongsV4.Song.self, configurations: configuration())
    #expect(try updated(ModelContext(swapped), SongsV4.Song.self) == [\.length])
    try swapped.close()
    let again = try ModelContainer(for: SongsV4.Song.self, configurations: configuration())
    #expect(try updated(ModelContext(again), SongsV4.Song.self) == [\.length])

    let new = try ModelContainer(for: SongsV5.Song.self, configurations: ModelConfiguration(url: copy))
    let later = ModelContext(new)
    #expect(try updated(later, SongsV5.Song.self) == [\.name])
    try #require(try later.fetch(FetchDescriptor<SongsV5.Song>()).first).title = "c"
    try later.save()
    #expect(try updated(later, SongsV5.Song.self) == [\.name, \.title])
  }

  @Test func `something new has nothing of a model that is gone, whose name is another's by now`() throws {
    let old = try ModelContainer(for: Discs.First.Disc.self, Discs.First.Sleeve.self, configurations: configuration())
    let context = ModelContext(old)
    context.insert(Discs.First.Disc(title: "a"))
    context.insert(Discs.First.Sleeve(color: "red"))
    try context.save()
    try old.close()
    try ModelContainer(for: Discs.Bare.Disc.self, configurations: configuration()).close()
    let new = try ModelContainer(
      for: Discs.Renamed.Sleeve.self, Discs.Renamed.Label.self, configurations: configuration())
    let changes = try all(ModelContext(new)).flatMap(\.changes)
    #expect(changes.map(\.changedPersistentIdentifier.entityName) == ["Sleeve"])
  }

  @Test func `a model that comes back goes on after the keys that it had`() throws {
    let store = try Migrated()
    func open() throws {
      try store.open(Discs.First.Disc.self, Discs.First.Sleeve.self) { context in
        context.insert(Discs.First.Sleeve(color: "red"))
      }
    }
    try open()
    try store.open(Discs.Bare.Disc.self) { _ in }
    try open()
    #expect(try store.strings("SELECT _pk FROM Sleeve") == ["2"])
    try store.checkFile(Discs.First.Disc.self, Discs.First.Sleeve.self)
  }

  @Test func `what is new in a superclass has nothing of a property that is gone`() throws {
    let old = try ModelContainer(for: Pets.First.Dog.self, configurations: configuration())
    let context = ModelContext(old)
    let dog = Pets.First.Dog(name: "Rex")
    context.insert(dog)
    try context.save()
    dog.tag = "7"
    try context.save()
    try old.close()
    try ModelContainer(for: Pets.Bare.Dog.self, configurations: configuration()).close()
    let new = try ModelContainer(for: Pets.Below.Dog.self, configurations: configuration())
    let updated = try all(ModelContext(new)).flatMap(\.changes).compactMap { change -> Int? in
      guard case .update(let update as DefaultHistoryUpdate<Pets.Below.Dog>) = change else { return nil }
      return update.updatedAttributes.count
    }
    #expect(updated == [0])
  }

  @Test func `history may be switched off and on again`() throws {
    for (history, title) in [(.init(), "a"), (.off, "b"), (.init(), "c")]
      as [(ModelConfiguration.HistoryOptions, String)]
    {
      let container = try ModelContainer(for: SongsV1.Song.self, configurations: configuration(history))
      let context = ModelContext(container)
      context.insert(SongsV1.Song(title: title))
      try context.save()
      try container.close()
    }
    let container = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    #expect(try all(ModelContext(container)).map(\.changes.count) == [1, 1])
  }

  @Test func `a program that says nothing of history leaves it as it is, and is recorded`() throws {
    let first = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    let context = ModelContext(first)
    context.insert(SongsV1.Song(title: "a"))
    try context.save()
    let second = try ModelContainer(for: SongsV1.Song.self, configurations: ModelConfiguration(url: folder.store))
    let other = ModelContext(second)
    other.author = "other"
    other.insert(SongsV1.Song(title: "b"))
    try other.save()
    try second.close()
    context.insert(SongsV1.Song(title: "c"))
    try context.save()
    #expect(try all(context).map(\.author) == [nil, "other", nil])
  }

  @Test func `a migration by a program that says nothing of history leaves it on`() throws {
    try ModelContainer(for: SongsV1.Song.self, configurations: configuration(.excluding(Band.self))).close()
    let new = try ModelContainer(for: SongsV2.Song.self, configurations: ModelConfiguration(url: folder.store))
    let context = ModelContext(new)
    context.insert(SongsV2.Song(name: "a"))
    try context.save()
    #expect(try all(context).map(\.changes.count) == [0, 1])
  }

  @Test func `a migration is one transaction without changes, behind what others changed before`() throws {
    let old = try ModelContainer(
      for: Schema(versionedSchema: SongsV1.self), migrationPlan: FirstSongs.self, configurations: configuration())
    let first = ModelContext(old)
    for number in 0..<100 { first.insert(SongsV1.Song(title: "\(number)")) }
    try first.save()
    try old.close()
    let other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try other.execute("DELETE FROM Song WHERE _pk > 98")
    other.close()
    let new = try ModelContainer(
      for: Schema(versionedSchema: SongsV2.self), migrationPlan: AllSongs.self, configurations: configuration())
    let context = ModelContext(new)
    #expect(try context.fetchCount(FetchDescriptor<SongsV2.Song>(predicate: #Predicate { $0.length == 7 })) == 98)
    let transactions = try all(context)
    #expect(transactions.map(\.changes.count) == [100, 2, 0])
    let migration = try #require(transactions.last?.migration)
    #expect(migration.from == Schema.Version(1, 0, 0) && migration.to == Schema.Version(2, 0, 0))
    #expect(transactions.last?.author == nil && transactions.last?.processIdentifier.isEmpty == false)
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.migration != nil })
    #expect(try context.fetchHistory(descriptor) == [transactions[2]])
    // Whoever waits for changes of some models is told.
    let observer = try HistoryObserver(
      historyTokens: [transactions[1].storeIdentifier: transactions[1].token], observedModels: [SongsV2.Song.self],
      modelContainer: new)
    #expect(observer.eventCounter == 1)
    try new.close()
    // Opened once more, nothing is migrated.
    #expect(try all(ModelContext(ModelContainer(for: SongsV2.Song.self, configurations: configuration()))).count == 3)
  }

  @Test func `what a backfill writes is no change, and what it makes others' triggers do is`() throws {
    let store = try Migrated()
    try store.open(EssaysV1.Essay.self) { context in
      for number in 0..<10 { context.insert(EssaysV1.Essay(title: "\(number)", text: "one two")) }
    }
    var configuration = store.configuration()
    configuration.storeOptions.migration.backfillsInBackground = false
    let container = try ModelContainer(
      for: EssaysV2.Essay.self, migrationPlan: EssaysPlan.self, configurations: configuration)
    let context = ModelContext(container)
    func fetch() throws -> [EssaysV2.Essay] {
      try context.fetch(FetchDescriptor<EssaysV2.Essay>(sortBy: [SortDescriptor(\.persistentModelID)]))
    }
    let before = try all(context).count
    let essays = try fetch()
    essays[0].text = "three"
    try context.save()
    let other = try Connection(ConnectionOptions(location: .file(path: configuration.url.path)))
    defer { other.close() }
    try other.execute(
      """
      CREATE TRIGGER theirs AFTER UPDATE OF words ON Essay WHEN NEW._pk = 2
      BEGIN UPDATE Essay SET title = 'theirs' WHERE _pk = 2; END
      """)
    try container.finishBackfills()
    #expect(try container.pendingBackfills == 0)
    let transactions = try all(context).dropFirst(before)
    let updated = transactions.map { transaction in
      transaction.changes.map { change -> String in
        guard case .update(let update as DefaultHistoryUpdate<EssaysV2.Essay>) = change else { return "\(change)" }
        let paths = update.updatedAttributes.map { $0 as PartialKeyPath<EssaysV2.Essay> }
        return
          "\(change.changedPersistentIdentifier.key) \(paths == [\.text] ? "text" : paths == [\.title] ? "title" : "?")"
      }
    }
    #expect(updated == [["1 text"], ["2 title"]])
    #expect(try fetch().map(\.words).dropFirst().allSatisfy { $0 == 2 })
    try container.close()
  }

  @Test func `a change that no trigger has written is an error, and can be deleted`() throws {
    let container = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    let context = ModelContext(container)
    context.insert(SongsV1.Song(title: "a"))
    try context.save()
    let other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    defer { other.close() }
    for damage in ["x'01'", "x'0100020180'", "x'07000201'", "x'01000081808001'", "x'ffffffffffffffffffffff'"] {
      try other.execute("UPDATE _roost_transaction SET changes = \(damage)")
      #expect(throws: SwiftDataError.corruptValue) { try all(context) }
    }
    try other.execute("INSERT INTO Song (title, length) VALUES ('b', 1); UPDATE _roost_transaction SET changes = NULL")
    try other.execute("UPDATE _roost_change SET key = -9223372036854775808")
    #expect(throws: SwiftDataError.corruptValue) { try all(context) }
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    context.insert(SongsV1.Song(title: "b"))
    try context.save()
    #expect(try all(context).map(\.changes.count) == [1])
  }

  @Test func `closing a store deletes what is too old, and what is too much`() throws {
    func add(_ history: ModelConfiguration.HistoryOptions) throws -> [DefaultHistoryTransaction] {
      let container = try ModelContainer(for: SongsV1.Song.self, configurations: configuration(history))
      let context = ModelContext(container)
      for number in 0..<3 {
        context.insert(SongsV1.Song(title: "\(number)"))
        try context.save()
      }
      defer { try? container.close() }
      return try all(context)
    }
    let kept = ModelConfiguration.HistoryOptions(maximumCount: 2)
    #expect(try add(kept).count == 3)
    #expect(try add(.init(maximumAge: .seconds(-3_600))).map(\.transactionIdentifier) == [2, 3, 4, 5, 6])
    #expect(try add(.init()).map(\.transactionIdentifier) == [7, 8, 9])
  }

  @Test func `a place in history has expired where changes were not recorded`() throws {
    func open(_ history: ModelConfiguration.HistoryOptions = .on) throws -> ModelContext {
      ModelContext(try ModelContainer(for: SongsV1.Song.self, configurations: configuration(history)))
    }
    func add(_ title: String, _ context: ModelContext) throws -> DefaultHistoryToken {
      context.insert(SongsV1.Song(title: title))
      try context.save()
      return try #require(try all(context).last?.token)
    }
    func after(_ token: DefaultHistoryToken, _ context: ModelContext) throws -> Int {
      try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
      ).count
    }
    var context = try open()
    let first = try add("a", context)
    try context.container.close()
    context = try open(.off)
    context.insert(SongsV1.Song(title: "b"))
    try context.save()
    try context.container.close()
    context = try open()
    #expect(throws: SwiftDataError.historyTokenExpired) { try after(first, context) }
    _ = try add("c", context)
    try context.container.close()
    let other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    defer { other.close() }
    for sql in [
      "DROP TRIGGER _roost_history_update_Song", "DROP TABLE _roost_change", "DROP TABLE _roost_transaction",
      "ALTER TABLE _roost_transaction ADD COLUMN more TEXT",
    ] {
      context = try open()
      let token = try add(sql, context)
      try context.container.close()
      try other.execute(sql)
      context = try open()
      #expect(throws: SwiftDataError.historyTokenExpired, "\(sql)") { try after(token, context) }
      let later = try add("later", context)
      #expect(try later > token && after(later, context) == 0)
      try context.container.close()
    }
  }

  @Test(arguments: [false, true])
  func `a value that rows got as their column was added, and that is set to nil, is in history`(isSQL: Bool) throws {
    let old = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    let first = ModelContext(old)
    first.insert(SongsV1.Song(title: "a"))
    try first.save()
    try old.close()
    let context = ModelContext(try ModelContainer(for: RatedSongs.Song.self, configurations: configuration()))
    let song = try #require(try context.fetch(FetchDescriptor<RatedSongs.Song>()).first)
    #expect(song.rating == 3 && song.stars == 1)
    if isSQL {
      try context.execute(sql: "UPDATE Song SET rating = NULL, stars = 2")
    } else {
      (song.rating, song.stars) = (nil, 2)
      try context.save()
    }
    guard case .update(let update as DefaultHistoryUpdate<RatedSongs.Song>)? = try all(context).last?.changes.first
    else {
      Issue.record("no update of a song")
      return
    }
    let changed = Set(update.updatedAttributes.map { $0 as PartialKeyPath<RatedSongs.Song> })
    #expect(changed == [\RatedSongs.Song.rating, \RatedSongs.Song.stars])
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<RatedSongs.Song>()).map(\.rating) == [nil])
  }

  @Test func `places from before a trigger was dropped expire, also where a migration comes next`() throws {
    let old = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    let context = ModelContext(old)
    context.insert(SongsV1.Song(title: "a"))
    try context.save()
    let token = try #require(try all(context).last?.token)
    try old.close()
    let other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try other.execute("DROP TRIGGER _roost_history_update_Song; UPDATE Song SET title = 'unnoted'")
    other.close()
    let later = ModelContext(try ModelContainer(for: SongsV2.Song.self, configurations: configuration()))
    #expect(throws: SwiftDataError.historyTokenExpired) {
      try later.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
    }
    let now = try #require(try all(later).last?.token)
    #expect(
      try later.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > now }))
        .isEmpty)
  }

  @Test func `numbers that another program has written into history's tables stop nobody`() throws {
    try ModelContainer(for: SongsV1.Song.self, configurations: configuration()).close()
    let other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    defer { other.close() }
    for number in [Int64.max, .min, -1] {
      try other.execute("UPDATE _roost_field SET number = \(number) WHERE name = ''")
      try other.execute(
        """
        INSERT OR REPLACE INTO _roost_transaction (id, time, first_change, last_change) VALUES (1, 0, 1, \(number));
        INSERT OR REPLACE INTO _roost_meta VALUES ('history floor', '\(number)');
        """)
      for sql in ["DROP TRIGGER IF EXISTS _roost_history_update_Song", "DROP TABLE _roost_transaction"] {
        try other.execute(sql)
        let container = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
        let context = ModelContext(container)
        context.insert(SongsV1.Song(title: "\(number)"))
        // The numbers may be used up: an error is an answer, and the next opening makes the tables anew.
        _ = try? context.save()
        _ = try? all(context)
        try container.close()
      }
    }
    try other.execute("DROP TABLE _roost_transaction; DELETE FROM _roost_meta WHERE key = 'history floor'")
    let container = try ModelContainer(for: SongsV1.Song.self, configurations: configuration())
    let context = ModelContext(container)
    context.insert(SongsV1.Song(title: "at last"))
    try context.save()
    #expect(try all(context).last?.changes.count == 1)
  }

  @Test func `a token of the future is refused, as that of a file whose older copy was restored`() throws {
    let context = ModelContext(try ModelContainer(for: SongsV1.Song.self, configurations: configuration()))
    context.insert(SongsV1.Song(title: "a"))
    try context.save()
    let last = try #require(try all(context).last)
    let future = DefaultHistoryToken(store: last.storeIdentifier, transaction: last.transactionIdentifier + 1)
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
      try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > future }))
    }
  }
}

private enum RatedSongs {
  @Model final class Song {
    var title: String
    var length = 0
    var rating: Int? = 3
    var stars: Int = 1

    init(title: String) { self.title = title }
  }
}
