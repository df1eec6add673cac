import Foundation
import Roost
import RoostCore
import RoostEngine
import SyncMerge
import RoostSync
import SyncSimulation
import TestSupport
import Testing

/// Two devices and a server, without a network.
@Suite struct SyncedStoreTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { (folder, first, second) = try Machine.two() }

  private mutating func syncAll() throws {
    for _ in 0..<2 {
      try first.sync(&zone)
      try second.sync(&zone)
    }
  }

  private func book(_ machine: Machine, _ title: String) throws -> Book {
    try #require(machine.all(Book.self, by: SortDescriptor(\.title)).first { $0.title == title })
  }

  @Test mutating func `rows, values and relationships come to the other device`() throws {
    let author = Author("Ann")
    author.born = 1970
    let book = Book("One", author: author)
    book.price = 1.5
    book.cover = Data([1, 2])
    book.marks = ["a", "b"]
    let topic = Topic("Sea")
    book.topics = [topic]
    first.context.insert(book)
    first.context.insert(Copy("S1", of: book))
    try first.context.save()
    try syncAll()
    let found = try self.book(second, "One")
    #expect(found.author?.name == "Ann" && found.author?.born == 1970)
    #expect(found.price == 1.5 && found.cover == Data([1, 2]) && found.marks == ["a", "b"])
    #expect(found.topics.map(\.name) == ["Sea"] && found.copies.map(\.shelf) == ["S1"])
    #expect(try first.synced.counts().isUpToDate && second.synced.counts().isUpToDate)
  }

  @Test
  mutating func `of what is more than a mebibyte a push has half a mebibyte at most, or one edit that is larger`()
    throws
  {
    for size in [400_000, 400_001, 1_500_000, 1_000_000] {
      let book = Book("\(size)")
      book.cover = Data(repeating: 1, count: size)
      first.context.insert(book)
    }
    try first.context.save()
    try first.begin(&zone)
    for _ in 0..<4 {
      let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
      #expect(push.edits.count == 1)
      try first.synced.receive(try zone.take(push, now: first.now), now: first.now)
    }
    #expect(try first.synced.nextPush(identity: 7, now: first.now) == nil)
  }

  @Test mutating func `a push reads no more of what waits than it has room for`() throws {
    for title in ["One", "Two", "Three"] {
      let book = Book(title)
      book.cover = Data(repeating: 1, count: 1_500_000)
      first.context.insert(book)
      try first.context.save()
    }
    try first.begin(&zone)
    // Nobody notices that the last one cannot be read before it is its turn.
    try first.container.store.pool.write { connection in
      try connection.execute(
        "UPDATE _roost_sync_row SET pending = x'00' WHERE turn = (SELECT max(turn) FROM _roost_sync_row)")
    }
    #expect(try first.synced.nextPush(identity: 7, now: first.now)?.edits.count == 1)
  }

  @Test mutating func `edits of different properties do not meet`() throws {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    let (mine, theirs) = (try book(first, "One"), try book(second, "One"))
    mine.price = 3
    theirs.title = "Two"
    try mine.modelContext?.save()
    try theirs.modelContext?.save()
    try syncAll()
    for machine in [first, second] { #expect(try book(machine, "Two").price == 3) }
  }

  @Test mutating func `a counter has what both added, and a set what both put in`() throws {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    for (machine, more, mark) in [(first, 2, "x"), (second, 5, "y")] {
      let book = try book(machine, "One")
      book.loans += more
      book.marks.append(mark)
      try book.modelContext?.save()
    }
    try syncAll()
    for machine in [first, second] {
      let book = try book(machine, "One")
      #expect(book.loans == 7 && Set(book.marks) == ["x", "y"])
    }
  }

  @Test mutating func `what is written to a row whose later version cannot be shown yet has not seen that`() throws {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    let (mine, theirs) = (try book(first, "One"), try book(second, "One"))
    mine.loans += 2
    mine.author = Author("Ann")
    try first.context.save()
    try first.sync(&zone)
    theirs.price = 1
    try second.context.save()
    // The answer has the book, whose author has not come yet.
    try second.push(&zone)
    theirs.loans += 2
    try second.context.save()
    try syncAll()
    for machine in [first, second] { #expect(try book(machine, "One").loans == 4) }
  }

  @Test mutating func `a deletion comes to the other device, with what goes with it`() throws {
    let author = Author("Ann")
    first.context.insert(Book("One", author: author))
    first.context.insert(Book("Two"))
    try first.context.save()
    try syncAll()
    let context = second.context
    let found = try #require(context.fetch(FetchDescriptor<Author>()).first)
    context.delete(found)
    try context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).isEmpty)
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).map(\.title) == ["Two"])
    }
  }

  @Test mutating func `a store that was synced opens, and shows its journal, while another program writes`() throws {
    try first.sync(&zone)
    let other = try Connection(ConnectionOptions(location: .file(path: first.url.path)))
    defer { other.close() }
    try other.execute("BEGIN IMMEDIATE")
    let again = try Machine(1, at: first.url)
    #expect(try again.synced.conflicts(limit: nil) == [])
  }

  @Test func `what went with a row that must stay is there again, in however many pushes it was deleted`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: 1))
    let author = Author("Ann")
    author.books = [Book("One"), Book("Two"), Book("Three")]
    first.context.insert(author)
    try first.context.save()
    try first.sync(&zone)
    try second.sync(&zone)
    // The book must stay, and its author with it.
    second.context.insert(Copy("S1", of: try book(second, "Two")))
    try second.context.save()
    try second.sync(&zone)
    first.context.delete(author)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      let books = try ModelContext(machine.container).fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
      #expect(books.map(\.title) == ["One", "Three", "Two"])
      #expect(try machine.synced.counts().isUpToDate)
    }
  }

  @Test mutating func `what was written has the same order once the clock is put right`() throws {
    let first = try Machine(1, at: folder.store("first"))
    let books = [Book("One"), Book("Two")]
    for book in books { first.context.insert(book) }
    try first.context.save()
    try first.sync(&zone)
    first.now += 1_000_000_000
    try first.atItsTime {
      books[0].price = 1
      try first.context.save()
      try first.synced.noteChanges(now: first.now)
      books[1].title = "Three"
      try first.context.save()
      try first.synced.noteChanges(now: first.now)
      books[0].title = "Four"
      try first.context.save()
      try first.synced.noteChanges(now: first.now)
    }
    first.now -= 1_000_000_000
    try first.synced.setClock(to: first.now)
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    let fields = push.edits.flatMap { $0.fields.map(\.value) }.sorted { $0.stamp < $1.stamp }
    #expect(fields.map(\.value) == [.real(1), .text("Three"), .text("Four")])
  }

  @Test(arguments: [false, true])
  mutating func `what was deleted together is sent with one stamp, also once the clock was put right`(
    hasOtherWithKey: Bool
  ) throws {
    let author = Author("Ann")
    author.books = [Book("One"), Book("Two")]
    first.context.insert(author)
    try first.context.save()
    try syncAll()
    let key = author.persistentModelID.key
    first.context.delete(author)
    try first.context.save()
    if hasOtherWithKey {
      try first.context.execute(sql: "INSERT INTO Author (_pk, name) VALUES (\(key), 'Bob')")
    }
    try first.synced.noteChanges(now: first.now)
    try first.synced.setClock(to: first.now)
    let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
    let deletions = push.edits.filter { $0.kind == .delete }
    #expect(deletions.count == 3 && Set(deletions.map(\.stamp)).count == 1)
  }

  @Test mutating func `what was changed at a time that cannot be is sent all the same`() throws {
    try first.begin(&zone)
    first.context.insert(Topic("Sea"))
    try first.context.save()
    try first.container.store.pool.write { try $0.execute("UPDATE _roost_transaction SET time = 9e999") }
    let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
    #expect(throws: SyncZoneError.clockAhead(now: first.now)) { try zone.take(push, now: first.now) }
    try first.synced.setClock(to: first.now)
    try syncAll()
    #expect(try second.all(Topic.self, by: SortDescriptor(\.name)).map(\.name) == ["Sea"])
  }

  @Test mutating func `a list keeps its order`() throws {
    let author = Author("Ann")
    first.context.insert(author)
    for title in ["c", "a", "b"] { author.books.append(Book(title)) }
    try first.context.save()
    try syncAll()
    #expect(try second.all(Author.self, by: SortDescriptor(\.name)).first?.books.map(\.title) == ["c", "a", "b"])
    let context = second.context
    let found = try #require(context.fetch(FetchDescriptor<Author>()).first)
    found.books.insert(found.books.remove(at: 2), at: 0)
    found.books.append(Book("d"))
    try context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(
        try machine.all(Author.self, by: SortDescriptor(\.name)).first?.books.map(\.title) == ["b", "c", "a", "d"])
    }
  }

  @Test mutating func `a store that has rows already sends them`() throws {
    for number in 0..<250 { first.context.insert(Topic("\(number)")) }
    try first.context.save()
    try syncAll()
    #expect(try second.all(Topic.self, by: SortDescriptor(\.name)).count == 250)
  }

  @Test mutating func `what stays on the device is not sent`() throws {
    let book = Book("One")
    book.isOpen = true
    first.context.insert(book)
    try first.context.save()
    try syncAll()
    #expect(try self.book(second, "One").isOpen == false)
    #expect(try self.book(first, "One").isOpen == true)
  }

  @Test mutating func `a value that is in a file comes to the other device, and its file there`() throws {
    let book = Book("One")
    book.scan = Data(repeating: 7, count: 300_000)
    first.context.insert(book)
    try first.context.save()
    try syncAll()
    let found = try self.book(second, "One")
    #expect(found.scan == book.scan)
    #expect(try second.container.store.files?.names().count == 1)
    found.scan = Data(repeating: 9, count: 400_000)
    try second.context.save()
    try syncAll()
    #expect(try self.book(first, "One").scan?.count == 400_000)
    second.context.delete(try self.book(second, "One"))
    try second.context.save()
    try syncAll()
    for machine in [first, second] { #expect(try machine.container.store.files?.names().isEmpty ?? false) }
  }

  @Test mutating func `a value whose file cannot be read keeps nobody from the row, and is the server's again`() throws
  {
    let book = Book("One")
    book.scan = Data(repeating: 7, count: 300_000)
    first.context.insert(book)
    try first.context.save()
    try syncAll()
    let files = try #require(second.container.store.files)
    for name in try files.names() {
      try FileManager.default.removeItem(at: files.url(of: name))
      try FileManager.default.createDirectory(at: files.url(of: name), withIntermediateDirectories: false)
    }
    book.loans += 1
    try first.context.save()
    try syncAll()
    let found = try self.book(second, "One")
    #expect(found.loans == 1 && found.scan == book.scan)
  }

  @Test mutating func `a text that is written with other bytes of the same letters comes to the other device`() throws {
    first.context.insert(Topic("Zoe\u{301}"))
    try first.context.save()
    try syncAll()
    try first.context.execute(sql: "UPDATE \(Topic.self) SET name = 'Zo\u{e9}'")
    try syncAll()
    let names = try second.container.store.pool.read { try $0.strings("SELECT hex(name) FROM Topic") }
    #expect(names == ["5A6FC3A9"])
  }

  @Test mutating func `what others wrote stays though a device does not know what it has changed itself`() throws {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    try self.book(second, "One").price = 3
    try second.context.save()
    try second.sync(&zone)
    try self.book(first, "One").title = "Two"
    try first.context.save()
    try first.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    try syncAll()
    for machine in [first, second] { #expect(try self.book(machine, "Two").price == 3) }
  }

  @Test mutating func `a value whose file is gone is taken from no other device`() throws {
    let book = Book("One")
    book.scan = Data(repeating: 7, count: 500)
    first.context.insert(book)
    try first.context.save()
    try syncAll()
    book.price = 2
    try first.context.save()
    // All of the row is sent, as nobody knows what has changed.
    try first.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let files = try #require(first.container.store.files)
    try FileManager.default.removeItem(at: files.folder)
    try syncAll()
    let found = try self.book(second, "One")
    #expect(found.price == 2 && found.scan?.count == 500)
  }

  @Test mutating func `a value that is none is none on the other device, whatever new rows have`() throws {
    let author = Author("Ann")
    author.country = nil
    first.context.insert(author)
    try first.context.save()
    try syncAll()
    #expect(try second.all(Author.self, by: SortDescriptor(\.name)).first.map { $0.country == nil } == true)
  }

  @Test func `rows go behind the new rows that they refer to, however small a push is`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: 1))
    try first.begin(&zone)
    let book = Book("One")
    first.context.insert(book)
    try first.context.save()
    book.author = Author("Ann")
    try first.context.save()
    for title in ["Ann", "One"] {
      let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
      #expect(push.edits.count == 1 && push.edits[0].fields.values.contains { $0.value == .text(title) })
      try first.synced.receive(zone.take(push, now: first.now), now: first.now)
    }
  }

  @Test func `two new rows that refer to each other are shown though only one push of theirs arrives`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: 1))
    try first.begin(&zone)
    let author = Author("Ann")
    author.subject = Topic("Sea")
    first.context.insert(author)
    try first.context.save()
    var arrived = 0
    while let push = try first.synced.nextPush(identity: 1, now: first.now) {
      try first.synced.receive(zone.take(push, now: first.now), now: first.now)
      arrived += 1
      let other = try Machine(9, at: folder.store("\(arrived)"))
      try other.sync(&zone)
      #expect(try other.synced.counts().isUpToDate)
    }
    try second.sync(&zone)
    let found = try #require(try second.all(Author.self, by: SortDescriptor(\.name)).first)
    #expect(found.subject?.name == "Sea" && found.subject?.expert === found)
    #expect(try first.synced.counts().isUpToDate && arrived == 3)
  }

  @Test func `a change that is larger than the server takes waits, and all else is sent`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let large = Book("Large")
    first.context.insert(large)
    try first.context.save()
    try first.sync(&zone)
    try second.sync(&zone)
    large.cover = Data(count: 2_000)
    for number in 0..<20 { first.context.insert(Topic("\(number)")) }
    try first.context.save()
    try first.sync(&zone)
    #expect(zone.storage.rows.count == 21)
    #expect(try first.synced.counts().tooLarge == 1 && !first.synced.counts().isUpToDate)
    // It waits all the same while others change the row.
    try book(second, "Large").price = 2
    try second.context.save()
    try second.sync(&zone)
    try first.pull(zone)
    #expect(try first.synced.counts().tooLarge == 1 && book(first, "Large").price == 2)
    #expect(try first.synced.counts().tooLargeModels == ["Book"])
    large.cover = Data(count: 20)
    try first.context.save()
    try first.sync(&zone)
    #expect(try zone.storage.rows.count == 21 && first.synced.counts().isUpToDate)
  }

  @Test func `a row whose change is too large can be deleted`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let large = Book("Large")
    first.context.insert(large)
    try first.context.save()
    try first.sync(&zone)
    large.cover = Data(count: 2_000)
    try first.context.save()
    try first.sync(&zone)
    #expect(try first.synced.counts().tooLarge == 1)
    first.context.delete(large)
    try first.context.save()
    try first.sync(&zone)
    #expect(try first.synced.counts().isUpToDate && zone.storage.rows.values.allSatisfy { $0.deletion != nil })
  }

  @Test func `a list that is larger than the server takes waits until it is shorter, and all else is sent`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let long = Book("Long")
    long.lines = (0..<200).map { "\($0)" }
    first.context.insert(long)
    first.context.insert(Topic("Sea"))
    try first.context.save()
    try first.sync(&zone)
    #expect(zone.storage.rows.keys.map(\.entity) == [3])
    #expect(try first.synced.counts().tooLargeModels == ["Book"])
    long.lines.removeLast(150)
    try first.context.save()
    try first.sync(&zone)
    #expect(try zone.storage.rows.count == 2 && first.synced.counts().isUpToDate)
  }

  @Test mutating func `a list that two devices made long together can be edited`() throws {
    let long = Book("Long")
    long.lines = (0..<6_000).map { "\($0)" }
    first.context.insert(long)
    try first.context.save()
    try syncAll()
    for (place, machine) in [first, second].enumerated() {
      try book(machine, "Long").lines += (0..<3_000).map { "\(place) \($0)" }
      try machine.context.save()
    }
    try syncAll()
    for (place, machine) in [first, second].enumerated() {
      #expect(try book(machine, "Long").lines.count == 12_000)
      try book(machine, "Long").lines.remove(at: place)
      try machine.context.save()
    }
    try syncAll()
    for machine in [first, second] {
      #expect(try book(machine, "Long").lines.count == 11_998 && machine.synced.counts().isUpToDate)
    }
  }

  @Test func `a push that is refused as too large is sent in smaller ones, and what was alone waits`() throws {
    var zone = zone
    for title in ["One", "Two"] {
      let book = Book(title)
      book.cover = Data(count: 1_000)
      first.context.insert(book)
    }
    try first.context.save()
    try first.begin(&zone)
    for count in [2, 1, 1] {
      let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
      #expect(push.edits.count == count && push.number == 1)
      try first.synced.takeBackLarge(identity: 2, now: first.now)
    }
    #expect(try first.synced.nextPush(identity: 1, now: first.now) == nil)
    #expect(try first.synced.counts().tooLarge == 2)
    // Another session tries again.
    try first.sync(&zone)
    #expect(try zone.storage.rows.count == 2 && first.synced.counts().isUpToDate)
  }

  @Test func `a store that has rows already sends each behind those that it refers to`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: 7))
    for number in 0..<150 {
      let book = Book("\(number)")
      book.topics = [Topic("\(number)")]
      first.context.insert(book)
    }
    try first.context.save()
    try first.begin(&zone)
    while let push = try first.synced.nextPush(identity: 1, now: first.now) {
      try first.synced.receive(zone.take(push, now: first.now), now: first.now)
      let rows = zone.storage.rows
      #expect(rows.values.allSatisfy { $0.references.allSatisfy { rows[$0] != nil } })
    }
    #expect(zone.storage.rows.count == 300)
  }
}
