import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// What a device shows between a push and what follows of it.
@Suite struct InBetweenTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { (folder, first, second) = try Machine.two() }

  private mutating func syncAll() throws {
    for _ in 0..<3 { for machine in [first, second] { try machine.sync(&zone) } }
    #expect(try first.synced.counts().isUpToDate && second.synced.counts().isUpToDate)
  }

  private func book(_ machine: Machine) throws -> Book {
    try #require(machine.all(Book.self, by: SortDescriptor(\.title)).first)
  }

  private func author(_ machine: Machine) throws -> Author {
    try #require(machine.all(Author.self, by: SortDescriptor(\.name)).first)
  }

  /// Has the server take all that a device has to send, of which the device does not hear.
  private mutating func pushUnanswered(_ machine: Machine) throws {
    let push = try #require(try machine.synced.nextPush(identity: 7, now: machine.now))
    _ = try zone.take(push, now: machine.now)
  }

  @Test mutating func `what was added to a counter is shown once, though the answer was lost and the row came back`()
    throws
  {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    try book(first).loans += 2
    try first.context.save()
    try pushUnanswered(first)
    try first.pull(zone)
    #expect(try book(first).loans == 2)
    try syncAll()
    for machine in [first, second] { #expect(try book(machine).loans == 2) }
  }

  @Test mutating func `a page waits for what became of a push that another program on the file has on its way`() throws
  {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    try book(first).loans += 1
    try first.context.save()
    // The server has not taken it yet.
    _ = try #require(try first.synced.nextPush(identity: 7, now: first.now))
    try book(second).loans += 3
    try second.context.save()
    try second.sync(&zone)
    let place = try first.synced.pagePlace()
    let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 9)
    #expect(!page.records.isEmpty && page.isLast)
    #expect(try !first.synced.receive(page, behind: place.cursor, seen: place.seen, now: first.now))
    #expect(try book(first).loans == 1)
    try book(first).loans += 1
    try first.context.save()
    try syncAll()
    for machine in [first, second] { #expect(try book(machine).loans == 5) }
  }

  @Test mutating func `rows are shown with the first page, though what they refer to has changed since`() throws {
    let author = Author("Ann")
    let topic = Topic("Sea")
    topic.expert = author
    for number in 0..<9 { first.context.insert(Book("\(number)", author: author)) }
    first.context.insert(topic)
    try first.context.save()
    try first.sync(&zone)
    author.born = 1_900
    try first.context.save()
    topic.motto = "Ahoy"
    try first.context.save()
    try first.sync(&zone)
    try second.begin(&zone)
    let place = try second.synced.pagePlace()
    let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 3)
    #expect(!page.isLast && page.records.count == 5)
    try second.synced.receive(page, behind: place.cursor, seen: place.seen, now: second.now)
    let books = try second.all(Book.self, by: SortDescriptor(\.title))
    #expect(books.count == 3 && books.allSatisfy { $0.author?.born == 1_900 && $0.author?.subject?.motto == "Ahoy" })
    #expect(try second.synced.counts().collected == 0)
    try syncAll()
    #expect(try second.all(Book.self, by: SortDescriptor(\.title)).count == 9)
  }

  @Test mutating func `pages are asked for again from where the rows are that a push's answer had no room for`() throws
  {
    first.context.insert(Book("One"))
    first.context.insert(Author("Ann"))
    try first.context.save()
    try syncAll()
    #expect(try first.synced.pagePlace().cursor > 0)
    try book(first).loans += 1
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
    var answer = try zone.take(push, now: first.now)
    (answer.records, answer.rest) = ([], 0)
    try first.synced.receive(answer, now: first.now)
    // Nor does a new session begin behind them.
    #expect(try first.synced.pagePlace().cursor == 0 && first.synced.hello().pulled == .start)
    try syncAll()
    #expect(try first.synced.pagePlace().cursor == zone.storage.place.sequence && book(second).loans == 1)
  }

  @Test mutating func `what refers to a row refers to the one that it becomes, at once`() throws {
    first.context.insert(Author("Bob"))
    try first.context.save()
    try syncAll()
    try author(first).name = "Ann"
    try first.context.save()
    try first.sync(&zone)
    // The second still has the first's as Bob.
    let ann = Author("Ann")
    second.context.insert(ann)
    try second.context.save()
    let push = try #require(try second.synced.nextPush(identity: 7, now: second.now))
    let answer = try zone.take(push, now: second.now)
    second.context.insert(Book("Two", author: ann))
    try second.context.save()
    try second.synced.receive(answer, now: second.now)
    #expect(try second.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Bob"])
    #expect(try book(second).author?.name == "Bob")
    try syncAll()
    for machine in [first, second] { #expect(try book(machine).author?.name == "Ann") }
  }

  @Test mutating func `an edit of a row that became another one sends nothing but itself`() throws {
    let (ann, same) = (Author("Ann"), Author("Ann"))
    (ann.country, same.country) = ("there", "home")
    second.context.insert(same)
    try second.atItsTime { try second.context.save() }
    first.now += 60_000
    first.context.insert(ann)
    try first.atItsTime { try first.context.save() }
    try first.sync(&zone)
    second.now += 120_000
    try second.begin(&zone)
    // The answer says which row it became, and nothing of that.
    try second.push(&zone)
    try author(second).born = 1970
    try second.atItsTime { try second.context.save() }
    try second.synced.noteChanges(now: second.now)
    try syncAll()
    for machine in [first, second] {
      #expect(try author(machine).country == "there" && author(machine).born == 1970)
    }
  }

  @Test mutating func `an older version of a row that is gone gives it no key`() throws {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    let old = try #require(zone.storage.rows.values.first)
    second.context.delete(try book(second))
    try second.context.save()
    try syncAll()
    second.context.insert(Topic("Sea"))
    try second.context.save()
    let push = try #require(try second.synced.nextPush(identity: 7, now: second.now))
    var answer = try zone.take(push, now: second.now)
    answer.records.append(old)
    try second.synced.receive(answer, now: second.now)
    let keys = try second.container.store.pool.read { try $0.strings("SELECT pk FROM _roost_sync_row WHERE pk > 0") }
    #expect(keys.count == 1)
    try syncAll()
  }

  @Test mutating func `a row that cannot go yet has the values that it has in files`() throws {
    let one = Book("One")
    one.scan = Data(repeating: 7, count: 500)
    first.context.insert(one)
    try first.context.save()
    try syncAll()
    second.context.delete(try book(second))
    try second.context.save()
    try second.sync(&zone)
    // Of which the server has yet to hear.
    first.context.insert(Copy("S1", of: try book(first)))
    try first.context.save()
    try first.pull(zone)
    let found = try #require(ModelContext(first.container).fetch(FetchDescriptor<Book>()).first)
    #expect(found.scan?.count == 500)
    try syncAll()
    for machine in [first, second] {
      #expect(try ModelContext(machine.container).fetch(FetchDescriptor<Book>()).first?.scan?.count == 500)
    }
  }

  @Test(arguments: [1, 2, 100])
  mutating func `what one transaction deletes is gone in however many pushes it goes`(edits: Int) throws {
    zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: edits))
    let book = Book("One")
    // These would have the book stay, and the book and the author the topic, which stays where it is edited.
    for shelf in ["S1", "S2", "S3"] { first.context.insert(Copy(shelf, of: book)) }
    book.topics = [Topic("Sea"), Topic("Ships")]
    book.author = Author("Ann")
    book.author?.subject = book.topics.first
    try first.context.save()
    try syncAll()
    #expect(try second.all(Copy.self, by: SortDescriptor(\.shelf)).count == 3)
    try first.container.erase()
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.contents(.first).isEmpty)
      #expect(try machine.synced.conflicts(limit: 9).isEmpty)
    }
  }

  @Test mutating func `a row that was gone and is there again is what others refer to`() throws {
    first.context.undoManager = UndoManager()
    let (one, other) = (Book("One"), Book("Other"))
    let copy = Copy("S1", of: one)
    for book in [one, other] { first.context.insert(book) }
    first.context.insert(copy)
    try first.context.save()
    first.context.undoManager?.beginUndoGrouping()
    copy.book = other
    first.context.delete(one)
    first.context.undoManager?.endUndoGrouping()
    try first.context.save()
    first.context.undoManager?.undo()
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let shown = try second.all(Copy.self, by: SortDescriptor(\.shelf))
    #expect(shown.map(\.book.title) == ["One"])
    for machine in [first, second] { #expect(try machine.isDone(zone)) }
  }

  @Test mutating func `what refers to another row under the same key refers to that one`() throws {
    let (bob, ann) = (Author("Bob"), Author("Ann"))
    let (book, sea) = (Book("One", author: ann), Topic("Sea"))
    for model in [bob, ann, book, sea] as [any PersistentModel] { first.context.insert(model) }
    try first.context.save()
    try syncAll()
    book.author = bob
    first.context.delete(ann)
    try first.context.save()
    // Whoever writes SQL may take a key that is free.
    try first.context.execute(sql: "INSERT INTO Author (_pk, name) SELECT max(_pk) + 1, 'Zoe' FROM Author")
    try first.context.execute(sql: "UPDATE Book SET author = (SELECT max(_pk) FROM Author)")
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).map(\.author?.name) == ["Zoe"])
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Bob", "Zoe"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test(arguments: [true, false])
  mutating func `a row that stays has all that referred to it as its device deleted it`(isDeletionFirst: Bool) throws {
    let (sea, ship, book) = (Topic("Sea"), Topic("Ship"), Book("One"))
    for model in [sea, ship, book] as [any PersistentModel] { first.context.insert(model) }
    book.topics = [sea, ship]
    ship.wider = sea
    ship.cites = [sea]
    try first.context.save()
    try syncAll()
    first.context.delete(sea)
    try first.context.save()
    try #require(second.all(Topic.self, by: SortDescriptor(\.name)).first).notes = "Deep"
    try second.context.save()
    if isDeletionFirst { try first.sync(&zone) } else { try second.sync(&zone) }
    try syncAll()
    for machine in [first, second] {
      let topics = try machine.all(Topic.self, by: SortDescriptor(\.name))
      let books = try machine.all(Book.self, by: SortDescriptor(\.title))
      #expect(topics.map(\.name) == ["Sea", "Ship"] && topics.last?.wider?.name == "Sea")
      #expect(topics.last?.cites.map(\.name) == ["Sea"] && topics.first?.citedBy.map(\.name) == ["Ship"])
      #expect(books.first?.topics.map(\.name).sorted() == ["Sea", "Ship"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `what is written while another version comes is in the journal, whatever is written upon that`()
    throws
  {
    first.context.insert(Topic("Sea"))
    try first.context.save()
    try syncAll()
    try #require(first.all(Topic.self, by: SortDescriptor(\.name)).first).notes = "Theirs"
    try first.context.save()
    try first.sync(&zone)
    try second.begin(&zone)
    try second.push(&zone)
    let topic = try #require(second.all(Topic.self, by: SortDescriptor(\.name)).first)
    topic.notes = "Mine"
    try second.context.save()
    try second.pull(zone)
    #expect(try ModelContext(second.container).fetch(FetchDescriptor<Topic>()).map(\.notes) == ["Theirs"])
    let conflict = try #require(second.synced.conflicts(limit: nil).first)
    #expect(conflict.outcome == .open && conflict.local == .text("Mine") && conflict.remote == .text("Theirs"))
    _ = try second.all(Topic.self, by: SortDescriptor(\.name))
    topic.notes = "Both"
    try second.context.save()
    try syncAll()
    #expect(try first.all(Topic.self, by: SortDescriptor(\.name)).map(\.notes) == ["Both"])
    #expect(try second.synced.conflicts(limit: nil).count == 1)
  }

  @Test mutating func `what is to be sent of a row that goes first has an end, whatever it refers to`() throws {
    let machine = try Machine(
      3, at: folder.store("third"), pushSize: SyncPushSize(wholeBytes: 60, edits: 10, bytes: 60))
    let (ann, sea) = (Author("Ann"), Topic("Sea"))
    for model in [ann, sea] as [any PersistentModel] { machine.context.insert(model) }
    try machine.context.save()
    try machine.sync(&zone)
    ann.subject = sea
    try machine.context.save()
    try machine.synced.noteChanges(now: machine.now)
    sea.notes = "Deep"
    machine.context.delete(ann)
    try machine.context.save()
    try machine.begin(&zone)
    var pushes = 0
    while pushes < 10, let push = try machine.synced.nextPush(identity: 1, now: machine.now) {
      try machine.synced.receive(zone.take(push, now: machine.now), now: machine.now)
      pushes += 1
    }
    try machine.pull(zone)
    #expect(try pushes > 1 && pushes < 10 && machine.isDone(zone))
    #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).isEmpty)
  }

  @Test mutating func `a page is not taken while a copy's push is the last one of the number that is on its way`()
    throws
  {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    try book(first).price = 3
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
    // A copy of the file goes by the same name.
    let copys = SyncPush(site: push.site, number: push.number, identity: 8, seen: push.seen, edits: [])
    _ = try zone.take(copys, now: first.now)
    try book(second).stars = 5
    try second.context.save()
    try second.sync(&zone)
    let place = try first.synced.pagePlace()
    let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 10)
    #expect(try !first.synced.receive(page, behind: place.cursor, seen: place.seen, now: first.now))
    #expect(throws: SyncZoneError.otherPush) { try zone.take(push, now: first.now) }
    try first.synced.takeSite(99, insteadOf: SyncedStore.Asked(of: push))
    try syncAll()
    #expect(try book(second).price == 3 && book(first).stars == 5)
  }

  @Test mutating func `a page tells that a push was taken, though something asks whether it was`() throws {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    try book(first).loans += 2
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
    _ = try zone.take(push, now: first.now)
    _ = try first.synced.nextPush(identity: 8, now: first.now)
    // Something in front of the server takes less by now.
    try first.synced.takeBackLarge(identity: 9, now: first.now)
    try book(first).loans += 1
    try first.context.save()
    try book(second).loans += 4
    try second.context.save()
    try second.sync(&zone)
    try first.pull(zone)
    try syncAll()
    #expect(try book(first).loans == 7 && book(second).loans == 7)
  }

  @Test mutating func `what refers to a row that is deleted here waits for what becomes of that`() throws {
    first.context.insert(Author("Ann"))
    try first.context.save()
    try syncAll()
    let ann = try author(first)
    ann.born = 1970
    first.context.insert(Book("One", author: ann))
    try first.context.save()
    try first.sync(&zone)
    second.context.delete(try author(second))
    try second.context.save()
    try second.synced.noteChanges(now: second.now)
    try second.pull(zone)
    #expect(try second.all(Book.self, by: SortDescriptor(\.title)).isEmpty && second.synced.counts().collected == 1)
    #expect(try second.all(Author.self, by: SortDescriptor(\.name)).isEmpty)
    try syncAll()
    #expect(try first.all(Book.self, by: SortDescriptor(\.title)).isEmpty)
  }
}
