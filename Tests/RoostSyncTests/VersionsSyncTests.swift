import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Programs of two versions, stores that were copied, and accounts.
@Suite struct VersionsSyncTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  private func isThere(_ machine: Machine, _ title: String) throws -> Bool {
    try machine.all(Book.self, by: SortDescriptor(\.title)).contains { $0.title == title }
  }

  @Test mutating func `an older program is up to date without what it cannot show, and a later one shows it`() throws {
    var older = try Machine(1, at: folder.store("older"))
    let later = try Machine(2, LibraryV2.self, at: folder.store("later"))
    let book = LibraryV2.Book("One")
    book.cost = 2
    later.context.insert(LibraryV2.SoldCopy("S1", of: book, to: "Ann"))
    later.context.insert(LibraryV2.Reader("Bob", likes: book))
    try later.context.save()
    try later.sync(&zone)
    try older.sync(&zone)
    #expect(try older.synced.counts().isUpToDate)
    #expect(try older.all(Book.self, by: SortDescriptor(\.title)).map(\.price) == [2])
    #expect(try older.all(Copy.self, by: SortDescriptor(\.shelf)).isEmpty)
    older = try older.reopened(random: 1, LibraryV2.self)
    try older.sync(&zone)
    #expect(try older.all(LibraryV2.SoldCopy.self, by: SortDescriptor(\.shelf)).map(\.buyer) == ["Ann"])
    #expect(try older.all(LibraryV2.Reader.self, by: SortDescriptor(\.name)).map(\.favourite?.title) == ["One"])
  }

  @Test mutating func `a copy of a store that a later program opens goes on under another name`() throws {
    let first = try Machine(1, at: folder.store("first"))
    first.context.insert(Book("One"))
    try first.context.save()
    try first.sync(&zone)
    #expect(try first.copy(to: folder.store("copy")))
    first.context.insert(Book("Two"))
    try first.context.save()
    try first.sync(&zone)
    let copy = try Machine(0, random: 1, LibraryV2.self, at: folder.store("copy"))
    #expect(throws: SyncZoneError.otherPush) { try copy.begin(&zone) }
    try copy.synced.takeSite(7)
    try copy.sync(&zone)
    #expect(try copy.all(LibraryV2.Book.self, by: SortDescriptor(\.title)).map(\.title) == ["One", "Two"])
  }

  @Test mutating func `what waits to be shown still does when an older copy of the server's data has it too`() throws {
    let (older, later) = (
      try Machine(1, at: folder.store("older")), try Machine(2, LibraryV2.self, at: folder.store("later"))
    )
    later.context.insert(LibraryV2.SoldCopy("S1", of: LibraryV2.Book("One"), to: "Ann"))
    try later.context.save()
    try later.sync(&zone)
    try older.sync(&zone)
    let backup = zone
    older.context.insert(Topic("Sea"))
    try older.context.save()
    try older.push(&zone)
    zone = backup
    try older.begin(&zone)
    let waiting = try older.container.store.pool.read { try $0.strings("SELECT key FROM _roost_sync_inbox") }
    #expect(waiting.count == 1)
    try older.sync(&zone)
    #expect(zone.storage.rows.count == 3)
  }

  @Test mutating func `a field that a program does not know hides no row from it`() throws {
    let (older, later) = (
      try Machine(1, at: folder.store("older")), try Machine(2, LibraryV2.self, at: folder.store("later"))
    )
    later.context.insert(LibraryV2.SoldCopy("S1", of: LibraryV2.Book("One"), to: "Ann"))
    try later.context.save()
    try later.sync(&zone)
    // A program that is later still has the book refer to the copy, of a class that the first does not have.
    let copy = try #require(zone.storage.rows.values.first { !$0.references.isEmpty })
    let row = try #require(copy.references.first)
    var book = try #require(zone.storage.record(row))
    book.fields[99] = SyncField(value: .row(copy.row), stamp: SyncStamp(time: 1, site: 9), sequence: book.sequence)
    zone.storage.put(book)
    try older.sync(&zone)
    #expect(try isThere(older, "One"))
  }

  @Test mutating func `rows of a class that is not synced any more are in nobody's way`() throws {
    zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: 2))
    let machine = try Machine(1, at: folder.store("first"))
    let book = Book("One")
    machine.context.insert(book)
    try machine.context.save()
    try machine.sync(&zone)
    for number in 0..<3 { machine.context.insert(Copy("S\(number)", of: book)) }
    try machine.context.save()
    machine.context.insert(Topic("Sea"))
    try machine.context.save()
    try machine.synced.noteChanges(now: machine.now)
    let store = machine.container.store
    let contract = try SyncContract(store.schema, version: [1, 0, 0], isSynced: { $0.name != "Copy" })
    let synced = try SyncedStore(store, contract, zone: "test", site: 1, random: 0)
    let hello = try synced.hello()
    try synced.begin(try zone.begin(hello, now: machine.now), to: hello, now: machine.now)
    #expect(try synced.counts().pending == 1)
    let push = try #require(try synced.nextPush(identity: 1, now: machine.now))
    #expect(push.edits.flatMap(\.fields.values).map(\.value).contains(.text("Sea")))
    try synced.receive(try zone.take(push, now: machine.now), now: machine.now)
    #expect(try synced.counts().isUpToDate)
  }

  @Test(arguments: [true, false], [true, false])
  mutating func `what was changed while its model was not synced is sent once it is`(
    hasSession: Bool, hasHistory: Bool
  ) throws {
    let (first, second) = (try Machine(1, at: folder.store("first")), try Machine(2, at: folder.store("second")))
    let book = Book("One")
    book.topics = [Topic("Sea")]
    first.context.insert(book)
    for name in ["Copied", "Lent"] { first.context.insert(Copy(name, of: book)) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    // The program goes on without the copies.
    let contract = try SyncContract(first.container.store.schema, version: [1, 0, 0], isSynced: { $0.name != "Copy" })
    let without = try SyncedStore(first.container.store, contract, zone: "test", site: 1, random: 0)
    if hasSession {
      let hello = try without.hello()
      try without.begin(try zone.begin(hello, now: first.now), to: hello, now: first.now)
    }
    let copies = try first.all(Copy.self, by: SortDescriptor(\.shelf))
    copies[0].shelf = "Sold"
    copies[1].shelf = "Mine"
    try first.context.save()
    if !hasHistory { try first.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>()) }
    try without.noteChanges(now: first.now)
    try #require(second.all(Copy.self, by: SortDescriptor(\.shelf)).last).shelf = "Theirs"
    try second.context.save()
    try second.sync(&zone)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      #expect(try machine.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.shelf) == ["Sold", "Theirs"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `rows that were there before their model was synced are sent once it is`() throws {
    var first = try Machine(1, at: folder.store("first"), unsynced: ["Copy"])
    first.context.insert(Copy("Mine", of: Book("One")))
    try first.context.save()
    // It was never online, or it was.
    first = try first.reopened(random: 0, unsynced: ["Copy"])
    first = try first.reopened(random: 0)
    let second = try Machine(2, at: folder.store("second"))
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try second.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.shelf) == ["Mine"])
  }

  @Test(arguments: [true, false])
  mutating func `rows of a model that is not synced are sent again once it is where the server's data was put back`(
    isChanged: Bool
  ) throws {
    var first = try Machine(1, at: folder.store("first"))
    let book = Book("One")
    first.context.insert(book)
    try first.context.save()
    try first.sync(&zone)
    let backup = zone
    first.context.insert(Copy("Mine", of: book))
    try first.context.save()
    try first.sync(&zone)
    if isChanged {
      try #require(try first.all(Copy.self, by: SortDescriptor(\.shelf)).first).shelf = "Other"
      try first.context.save()
      try first.synced.noteChanges(now: first.now)
    }
    zone = backup
    first = try first.reopened(random: 0, unsynced: ["Copy"])
    try first.sync(&zone)
    first = try first.reopened(random: 0)
    let second = try Machine(2, at: folder.store("second"))
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.shelf) == [isChanged ? "Other" : "Mine"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test(arguments: [true, false])
  mutating func
    `what is on its way of a model that is left out holds up nothing where put back data never had the model`(
      isNumberAnothers: Bool
    ) throws
  {
    var first = try Machine(1, at: folder.store("first")).reopened(random: 0, unsynced: ["Copy"])
    let book = Book("One")
    first.context.insert(book)
    try first.context.save()
    try first.sync(&zone)
    let backup = zone
    first = try first.reopened(random: 0)
    first.context.insert(Copy("Mine", of: try #require(first.all(Book.self, by: SortDescriptor(\.code)).first)))
    try first.context.save()
    try first.begin(&zone)
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    _ = try zone.take(push, now: first.now)
    zone = backup
    first = try first.reopened(random: 0, unsynced: ["Copy"])
    first.context.insert(Topic("Sea"))
    try first.context.save()
    try first.sync(&zone)
    #expect(try first.isDone(zone) && zone.storage.rows.count == 2)
    if isNumberAnothers {
      var registry = zone.storage.registry
      _ = registry.register(SyncSchema(entities: [SyncEntity(SyncName("Other"), fields: [])]))
      zone.storage.setRegistry(registry)
    }
    first = try first.reopened(random: 0)
    let second = try Machine(2, at: folder.store("second"))
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.shelf) == ["Mine"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test(arguments: [true, false])
  mutating func `a row of a subclass whose model is synced again is of that class where the zone does not have it`(
    isOtherAccount: Bool
  ) throws {
    var first = try Machine(1, at: folder.store("first"))
    let book = Book("One")
    first.context.insert(book)
    try first.context.save()
    try first.sync(&zone)
    let backup = isOtherAccount ? SyncZone(MemoryZone(SyncRegistry())) : zone
    first.context.insert(LoanedCopy("Mine", of: book, reader: "Ann"))
    try first.context.save()
    try first.sync(&zone)
    zone = backup
    first = try first.reopened(random: 0, unsynced: ["Copy"])
    if isOtherAccount { try first.synced.leaveAccount() }
    try first.sync(&zone)
    first = try first.reopened(random: 0)
    let second = try Machine(2, at: folder.store("second"))
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(LoanedCopy.self, by: SortDescriptor(\.shelf)).map(\.reader) == ["Ann"])
    }
  }

  @Test(arguments: [true, false])
  mutating func `what is to be sent of a property that a later program dropped is no push's end where no zone knows it`(
    isOtherAccount: Bool
  ) throws {
    let later = try Machine(3, LibraryV2.self, at: folder.store("later"))
    try later.sync(&zone)
    let backup = isOtherAccount ? SyncZone(MemoryZone(SyncRegistry())) : zone
    var first = try Machine(1, at: folder.store("first"))
    first.context.insert(Book("One"))
    try first.context.save()
    try first.sync(&zone)
    let topic = Topic("Sea")
    topic.motto = "Ahoy"
    first.context.insert(topic)
    try first.context.save()
    try first.synced.noteChanges(now: first.now)
    zone = backup
    if isOtherAccount { try Machine(4, LibraryV2.self, at: folder.store("fourth")).begin(&zone) }
    first = try first.reopened(random: 0, LibraryV2.self)
    if isOtherAccount { try first.synced.leaveAccount() }
    try first.sync(&zone)
    #expect(try first.isDone(zone) && zone.storage.rows.count == 2)
  }

  @Test
  mutating func `what was on its way to one account is not sent to another of a model that is not synced any more`()
    throws
  {
    // An earlier program gives both zones the same numbers for all models but that one.
    let earlier = try Machine(3, at: folder.store("earlier"))
    try earlier.begin(&zone)
    var first = try Machine(1, LibraryV2.self, at: folder.store("first"))
    first.context.insert(LibraryV2.Reader("Rita", likes: nil))
    try first.context.save()
    try first.begin(&zone)
    _ = try first.synced.nextPush(identity: 1, now: first.now)
    first = try first.reopened(random: 0, unsynced: ["Reader"])
    zone = SyncZone(MemoryZone(SyncRegistry()))
    try Machine(4, at: folder.store("fourth")).begin(&zone)
    try first.synced.leaveAccount()
    try first.sync(&zone)
    #expect(try zone.storage.rows.isEmpty && first.isDone(zone))
    first = try first.reopened(random: 0)
    let second = try Machine(2, LibraryV2.self, at: folder.store("second"))
    for machine in [first, second] {
      try machine.sync(&zone)
      #expect(try machine.all(LibraryV2.Reader.self, by: SortDescriptor(\.name)).map(\.name) == ["Rita"])
    }
  }

  @Test(arguments: [true, false])
  mutating func `what is on its way of a model that is not synced any more is sent again with the rest`(
    isAnswerLost: Bool
  ) throws {
    var first = try Machine(1, at: folder.store("first"))
    first.context.insert(Copy("Mine", of: Book("One")))
    try first.context.save()
    try first.begin(&zone)
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    if isAnswerLost { _ = try zone.take(push, now: first.now) }
    first = try first.reopened(random: 0, unsynced: ["Copy"])
    try first.begin(&zone)
    let again = try #require(try first.synced.nextPush(identity: 2, now: first.now))
    #expect(Set(again.edits.map(\.row)) == Set(push.edits.map(\.row)) && again.identity == push.identity)
    #expect(try first.synced.counts().sent == 2)
    try first.synced.receive(try zone.take(again, now: first.now), to: again, now: first.now)
    #expect(try first.synced.counts().sent == 0)
    first = try first.reopened(random: 0)
    let second = try Machine(2, at: folder.store("second"))
    for machine in [first, second] {
      try machine.sync(&zone)
      #expect(try machine.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.shelf) == ["Mine"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `rows of a model that is not synced stay as others are removed, and are sent once it is`() throws
  {
    var first = try Machine(1, at: folder.store("first"))
    first.context.insert(Topic("Sea"))
    first.context.insert(Picture("Boat", PictureSize(width: 1)))
    try first.context.save()
    try first.sync(&zone)
    // Nothing of the topics is synced, which refer to authors and pictures.
    first = try first.reopened(
      random: 0, unsynced: ["Topic", "Review", "Author", "Passport", "Badge", "Book", "Chapter", "Copy"])
    try first.synced.discardRows()
    first = try first.reopened(random: 0)
    let second = try Machine(2, at: folder.store("second"))
    zone = SyncZone(MemoryZone(SyncRegistry()))
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try second.all(Topic.self, by: SortDescriptor(\.name)).map(\.name) == ["Sea"])
    #expect(try second.all(Picture.self, by: SortDescriptor(\.name)).isEmpty)
  }

  @Test mutating func `numbers that are others by now have nothing sent anew that the server has`() throws {
    let (older, later) = (
      try Machine(1, at: folder.store("older")), try Machine(2, LibraryV2.self, at: folder.store("later"))
    )
    older.context.insert(Author("Ann"))
    try older.context.save()
    try older.sync(&zone)
    let backup = zone
    try later.sync(&zone)
    // An older copy is put back, and another program begins first: its class has the number
    // of one of the later program's.
    zone = backup
    var registry = zone.storage.registry
    _ = registry.register(SyncSchema(entities: [SyncEntity(SyncName("Stranger"), fields: [])]))
    zone.storage.setRegistry(registry)
    try #require(older.all(Author.self, by: SortDescriptor(\.name)).first).born = 3
    try older.context.save()
    try older.sync(&zone)
    try later.begin(&zone)
    #expect(try later.synced.nextPush(identity: 1, now: later.now) == nil)
    try later.pull(zone)
    #expect(try later.all(LibraryV2.Author.self, by: SortDescriptor(\.name)).map(\.born) == [3])
    #expect(try later.isDone(zone))
  }

  @Test mutating func `the journal is of the same properties in an account that has other numbers for them`() throws {
    let (first, second) = (try Machine(1, at: folder.store("first")), try Machine(2, at: folder.store("second")))
    first.context.insert(Book("One"))
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for (machine, title) in [(second, "Theirs"), (first, "Mine")] {
      try #require(machine.all(Book.self, by: SortDescriptor(\.code)).first).title = title
      try machine.context.save()
      try machine.sync(&zone)
    }
    let before = try first.synced.conflicts(limit: nil)
    #expect(before.map(\.property) == ["title"])
    var registry = SyncRegistry()
    _ = registry.register(
      SyncSchema(entities: [
        SyncEntity(SyncName("Stranger"), fields: []),
        SyncEntity(SyncName("Book"), fields: [SyncFieldDefinition(SyncName("price"))]),
      ]))
    var other = SyncZone(MemoryZone(registry))
    try first.synced.leaveAccount()
    try first.sync(&other)
    let after = try first.synced.conflicts(limit: nil)
    #expect(after == before)
    try first.synced.resolve(try #require(after.first).id, keeping: .ancestor)
    #expect(try isThere(first, "One"))
  }

  @Test mutating func `a default that differs by row is one on all devices, whoever made the row`() throws {
    let older = try Machine(1, at: folder.store("older"))
    for title in ["A", "B"] { older.context.insert(Book(title)) }
    try older.context.save()
    try older.sync(&zone)
    // The device that made the rows is never seen again.
    let machines = try (2...4).map { try Machine($0, LibraryV2.self, at: folder.store("\($0)")) }
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    func tokens(_ machine: Machine) throws -> [String] {
      try machine.all(LibraryV2.Book.self, by: SortDescriptor(\.title)).map(\.token)
    }
    let first = try tokens(machines[0])
    #expect(Set(first).count == 2)
    for machine in machines { #expect(try tokens(machine) == first && machine.isDone(zone)) }
  }

  @Test mutating func `a token of another account is noticed by a store that has seen nothing yet`() throws {
    let machine = try Machine(1, at: folder.store("first"))
    try machine.begin(&zone)
    machine.context.insert(Book("One"))
    try machine.context.save()
    var other = SyncZone(MemoryZone(SyncRegistry()))
    #expect(throws: SyncZoneError.unknownPlace) { try machine.push(&other) }
    #expect(throws: SyncZoneError.unknownPlace) { try machine.pull(other) }
    #expect(throws: SyncedStoreError.otherAccount) { try machine.begin(&other) }
    try machine.sync(&zone)
    #expect(zone.storage.rows.count == 1)
  }

  @Test mutating func `the rows of a store that was never synced can be removed for an account's`() throws {
    let machine = try Machine(1, at: folder.store("first"))
    let book = Book("One")
    book.scan = Data(repeating: 1, count: 500)
    machine.context.insert(book)
    try machine.context.save()
    try machine.synced.discardRows()
    #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).isEmpty)
    #expect(try machine.container.store.files?.names().isEmpty ?? false)
    try machine.sync(&zone)
    #expect(zone.storage.rows.isEmpty)
  }

  @Test mutating func `a page that was under way when the rows were removed is not taken`() throws {
    let (first, second) = (try Machine(1, at: folder.store("first")), try Machine(2, at: folder.store("second")))
    for title in ["One", "Two"] { first.context.insert(Book(title)) }
    try first.context.save()
    try first.sync(&zone)
    try second.begin(&zone)
    let place = try second.synced.pagePlace()
    let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 1)
    try second.synced.discardRows()
    #expect(try !second.synced.receive(page, behind: place.cursor, seen: place.seen, now: second.now))
    try second.sync(&zone)
    #expect(try isThere(second, "One") && isThere(second, "Two"))
  }
}
