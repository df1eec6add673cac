import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// New rows that refer to new ones which are larger than the server takes.
@Suite struct LargeEditTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine

  init() throws { (folder, first, second) = try Machine.two() }

  private func topic(_ machine: Machine, _ name: String) throws -> Topic? {
    try machine.all(Topic.self, by: SortDescriptor(\.name)).first { $0.name == name }
  }

  @Test(arguments: [false, true])
  func `a new row that must have one which is too large waits until that is small, or deleted`(isDeleted: Bool) throws {
    // One edit a push: those that wait must not keep others from going.
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: 1, bytes: 1_000))
    let large = Book("Large")
    large.cover = Data(count: 2_000)
    let copy = Copy("S1", of: large)
    first.context.insert(copy)
    first.context.insert(Topic("Sea"))
    try first.context.save()
    try first.sync(&zone)
    #expect(zone.storage.rows.keys.map(\.entity) == [3])
    #expect(try first.synced.counts().tooLarge == 2 && first.synced.counts().tooLargeModels == ["Book", "Copy"])
    if isDeleted {
      first.context.delete(copy)
      try first.context.save()
      first.context.delete(large)
    } else {
      large.cover = nil
    }
    try first.context.save()
    try first.push(&zone)
    try first.pull(zone)
    #expect(try zone.storage.rows.count == (isDeleted ? 1 : 3) && first.synced.counts().isUpToDate)
    try second.sync(&zone)
    #expect(try second.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.book.title) == (isDeleted ? [] : ["Large"]))
  }

  @Test func `a new row that may go without one which is too large goes, and refers to that later`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let (large, other, small) = (Topic("Sea"), Topic("Lake"), Topic("Bay"))
    for topic in [large, other] { topic.notes = String(repeating: "a", count: 2_000) }
    (small.wider, small.motto) = (large, "Ahoy")
    let book = Book("One")
    book.topics = [other]
    for topic in [large, other, small] { first.context.insert(topic) }
    first.context.insert(book)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try topic(second, "Bay")?.motto == "Ahoy" && topic(second, "Bay")?.wider == nil)
    #expect(try second.synced.counts().isUpToDate && first.synced.counts().tooLarge >= 3)
    for topic in [large, other] { topic.notes = "" }
    try first.context.save()
    try first.push(&zone)
    try first.pull(zone)
    try second.sync(&zone)
    #expect(try topic(second, "Bay")?.wider?.name == "Sea" && topic(second, "Lake")?.books.map(\.title) == ["One"])
    #expect(try first.synced.counts().isUpToDate)
  }

  @Test(arguments: [false, true])
  func `a new row that is too large becomes another device's that has its unique value`(isKnown: Bool) throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let (large, other) = (Author("Ann"), Author(isKnown ? "Ben" : "Ann"))
    large.country = String(repeating: "a", count: 2_000)
    other.born = 1950
    for machine in [first, second] { try machine.sync(&zone) }
    if isKnown {
      second.context.insert(other)
      try second.context.save()
      for machine in [second, first] { try machine.sync(&zone) }
      other.name = "Ann"
    }
    first.context.insert(large)
    first.context.insert(Book("One", author: large))
    try first.context.save()
    try first.sync(&zone)
    #expect(try first.synced.counts().tooLarge == 2)
    if !isKnown { second.context.insert(other) }
    try second.context.save()
    for machine in [second, first, second] { try machine.sync(&zone) }
    #expect(try first.synced.counts().collected == 0 && second.synced.counts().isUpToDate)
    let ann = try #require(try first.all(Author.self, by: SortDescriptor(\.name)).first)
    #expect(ann.born == 1950 && ann.books.map(\.title) == ["One"])
    // The later one stays, which the other device wrote where it made its row later.
    #expect(ann.country == (isKnown ? String(repeating: "a", count: 2_000) : "here"))
    let journal = try first.synced.conflicts(limit: nil)
    #expect(journal.map(\.property) == ["country"] && journal.map(\.outcome) == [isKnown ? .local : .remote])
    ann.country = "b"
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      let authors = try machine.all(Author.self, by: SortDescriptor(\.name))
      #expect(authors.map(\.name) == ["Ann"] && authors.map(\.born) == [1950] && authors.map(\.country) == ["b"])
      #expect(authors.first?.books.map(\.title) == ["One"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test(arguments: [false, true])
  func `a row waits that has a unique value which one that is too large took, and is told of`(isTakenBack: Bool) throws
  {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let bea = Author("Bea")
    first.context.insert(bea)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    (bea.name, bea.country) = ("Ann", String(repeating: "a", count: 2_000))
    try first.context.save()
    try first.sync(&zone)
    let other = Author("Ann")
    other.born = 1950
    second.context.insert(other)
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    let counts = try first.synced.counts()
    #expect(counts.tooLarge == 1 && counts.collected == 1)
    #expect(counts.tooLargeReason.hasSuffix("1 row of another device is not shown yet. All else is synced."))
    if isTakenBack { bea.name = "Bea" } else { bea.country = "" }
    try first.context.save()
    for machine in [first, second, first] { try machine.sync(&zone) }
    #expect(try first.synced.counts().collected == 0 && first.synced.counts().tooLarge == (isTakenBack ? 1 : 0))
    for machine in [first, second] {
      let authors = try machine.all(Author.self, by: SortDescriptor(\.name))
      #expect(authors.map(\.name) == ["Ann", "Bea"] && authors.map(\.born) == [1950, nil])
    }
  }

  @Test func `a new row that a proxy refuses as too large becomes another device's that has its unique value`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    for machine in [first, second] { try machine.sync(&zone) }
    first.context.insert(Author("Ann"))
    try first.context.save()
    #expect(try first.synced.nextPush(identity: 7, now: first.now)?.edits.count == 1)
    try first.synced.takeBackLarge(identity: 8, now: first.now)
    #expect(try first.synced.nextPush(identity: 9, now: first.now) == nil && first.synced.counts().tooLarge == 1)
    let other = Author("Ann")
    other.born = 1950
    second.context.insert(other)
    try second.context.save()
    try second.sync(&zone)
    try first.pull(zone)
    #expect(try first.synced.counts().collected == 0)
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.born) == [1950])
      #expect(try machine.isDone(zone))
    }
  }

  @Test func `all new rows that are too large become others at once, and what else waits goes on waiting`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    for machine in [first, second] { try machine.sync(&zone) }
    for name in ["Ann", "Ben"] {
      let large = Author(name)
      large.country = String(repeating: "a", count: 2_000)
      first.context.insert(large)
      second.context.insert(Author(name))
    }
    try first.context.save()
    try first.push(&zone)
    try second.context.save()
    try second.sync(&zone)
    let book = Book("Large")
    book.cover = Data(count: 2_000)
    first.context.insert(book)
    try first.context.save()
    try first.push(&zone)
    try first.pull(zone)
    #expect(try first.synced.counts().collected == 0 && first.all(Author.self, by: SortDescriptor(\.name)).count == 2)
    try first.push(&zone)
    #expect(try first.synced.counts().tooLargeModels == ["Book"])
  }

  @Test(arguments: [false, true])
  func `a new row that is too large does not become one that this device has under another name, or deletes`(
    isDeleted: Bool
  ) throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let (ann, book) = (Author("Ann"), Book("One"))
    book.author = ann
    first.context.insert(book)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let (text, new) = (String(repeating: "a", count: 2_000), Author("Ann"))
    if isDeleted {
      new.country = text
      (book.author, book.cover) = (nil, Data(count: 2_000))
      first.context.delete(ann)
    } else {
      (ann.name, ann.country, new.country) = ("Bea", text, text)
    }
    try first.context.save()
    first.context.insert(new)
    try first.context.save()
    try first.push(&zone)
    try #require(try second.all(Author.self, by: SortDescriptor(\.name)).first).born = 1950
    try second.context.save()
    try second.sync(&zone)
    try first.pull(zone)
    let authors = try first.all(Author.self, by: SortDescriptor(\.name))
    #expect(authors.map(\.name) == (isDeleted ? ["Ann"] : ["Ann", "Bea"]))
    #expect(authors.map(\.born) == (isDeleted ? [nil] : [nil, 1950]))
  }

  @Test
  func
    `a new row that turns out to be too large becomes another's that waits for it, though there is nothing else to fetch`()
    throws
  {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    for machine in [first, second] { try machine.sync(&zone) }
    second.context.insert(Author("Ann"))
    try second.context.save()
    try second.sync(&zone)
    let large = Author("Ann")
    large.country = String(repeating: "a", count: 2_000)
    first.context.insert(large)
    try first.context.save()
    try first.pull(zone)
    #expect(try first.synced.counts().collected == 1)
    let step = try first.synced.perform(.push, random: 7, serverTime: 0, now: first.now)
    #expect(step == .done(.pushed(isEmpty: true, hasToShow: true)))
    var core = SyncCore()
    for event in [
      SyncCore.Event.start, .began(hasMore: false), .pushed(isEmpty: true), .pulled(isLast: true, cursor: 1),
    ] {
      _ = core.step(event)
    }
    #expect(core.step(.localChange) == [.push] && core.step(.pushed(isEmpty: true, hasToShow: true)) == [.pull])
    try first.pull(zone)
    #expect(try first.synced.counts().collected == 0)
    #expect(try first.synced.perform(.push, random: 7, serverTime: 0, now: first.now) == .done(.pushed(isEmpty: true)))
    #expect(try first.synced.counts().tooLarge == 1)
  }

  @Test func `of two new rows that refer to each other the one that must have the other comes behind it`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: 1))
    let machine = try Machine(3, Desks.self, at: folder.store("desks"))
    for name in ["Ann", "Ben"] { machine.context.insert(Desks.Desk(Desks.Clerk(name))) }
    try machine.context.save()
    try machine.begin(&zone)
    while let push = try machine.synced.nextPush(identity: UInt64.random(in: 1 ... .max), now: machine.now) {
      try #require(!push.edits.allSatisfy { $0.fields.isEmpty })
      try machine.synced.receive(try zone.take(push, now: machine.now), now: machine.now)
      // A device may send no more after any of them.
      let rows = zone.storage.rows
      #expect(rows.values.allSatisfy { $0.references.allSatisfy { rows[$0] != nil } })
    }
    #expect(zone.storage.rows.count == 4)
    #expect(try machine.synced.counts().isUpToDate)
    let other = try Machine(4, Desks.self, at: folder.store("other"))
    try other.sync(&zone)
    let clerks = try other.all(Desks.Clerk.self, by: SortDescriptor(\.name))
    #expect(clerks.map { $0.desk?.clerk.name } == ["Ann", "Ben"])
  }

  @Test func `of two new rows that refer to each other both wait where the small one must have the other`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let machine = try Machine(3, Desks.self, at: folder.store("desks"))
    let clerk = Desks.Clerk(String(repeating: "a", count: 2_000))
    machine.context.insert(Desks.Desk(clerk))
    try machine.context.save()
    try machine.sync(&zone)
    #expect(try zone.storage.rows.isEmpty && machine.synced.counts().tooLarge == 2)
    clerk.name = "Ann"
    try machine.context.save()
    try machine.push(&zone)
    #expect(try zone.storage.rows.count == 2 && machine.synced.counts().isUpToDate)
  }

  @Test(arguments: [false, true])
  func `what moved away from a deleted row stays while it, or what has it now, is too large`(isOwnerLarge: Bool) throws
  {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let (ann, bob) = (Author("Ann"), Author("Bob"))
    let book = Book("One", author: ann)
    for model in [ann, book, Chapter("I", of: book)] as [any PersistentModel] { first.context.insert(model) }
    if !isOwnerLarge { first.context.insert(bob) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    if isOwnerLarge {
      bob.country = String(repeating: "a", count: 2_000)
      first.context.insert(bob)
    } else {
      book.cover = Data(count: 2_000)
    }
    book.author = bob
    first.context.delete(ann)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for (machine, owner) in [(first, "Bob"), (second, "Ann")] {
      let books = try machine.all(Book.self, by: SortDescriptor(\.title))
      #expect(books.map(\.author?.name) == [owner] && books.first?.chapters.map(\.title) == ["I"])
    }
    if isOwnerLarge { bob.country = "" } else { book.cover = nil }
    try first.context.save()
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      let books = try machine.all(Book.self, by: SortDescriptor(\.title))
      #expect(books.map(\.author?.name) == ["Bob"] && books.first?.chapters.map(\.title) == ["I"])
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Bob"])
      #expect(try machine.synced.counts().isUpToDate)
    }
  }

  @Test func `what an edit lets go of stays while its new owner, which goes before it, is too large`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let machines = try [3, 4].map {
      try Machine($0, Offices.self, at: folder.store("offices \($0)"), pushSize: SyncPushSize(wholeBytes: 1, edits: 50))
    }
    let context = machines[0].context
    let (former, ann) = (Offices.Person("Dan"), Offices.Person("Ann"))
    ann.manager = former
    for person in [former, ann] { context.insert(person) }
    try context.save()
    for machine in machines { try machine.sync(&zone) }
    // The new one has the name that the other one gives up, and so comes behind it.
    ann.name = "Anna"
    let new = Offices.Person("Ann")
    new.photo = Data(count: 2_000)
    context.insert(new)
    ann.manager = new
    context.delete(former)
    try context.save()
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    #expect(try machines[1].all(Offices.Person.self, by: SortDescriptor(\.name)).map(\.name) == ["Anna", "Dan"])
    new.photo = nil
    try context.save()
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    for machine in machines {
      let people = try machine.all(Offices.Person.self, by: SortDescriptor(\.name))
      #expect(people.map(\.name) == ["Ann", "Anna"] && people.last?.manager?.name == "Ann")
      #expect(try machine.synced.counts().isUpToDate)
    }
  }

  @Test(arguments: [false, true])
  func `a push that is too large when it comes again counts once, whether or not the server has it`(isTaken: Bool)
    throws
  {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let books = [Book("One"), Book("Two")]
    for book in books { first.context.insert(book) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for book in books { book.loans += 2 }
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
    // The answer is lost.
    if isTaken { _ = try zone.take(push, now: first.now) }
    #expect(try first.synced.nextPush(identity: 8, now: first.now) == push)
    try first.synced.takeBackLarge(identity: 9, now: first.now)
    let probe = try #require(try first.synced.nextPush(identity: 10, now: first.now))
    #expect(probe.edits.isEmpty && probe.number == push.number)
    if isTaken {
      #expect(throws: SyncZoneError.otherPush) { try zone.take(probe, now: first.now) }
      try first.synced.takeSite(11, insteadOf: SyncedStore.Asked(of: probe))
      #expect(try first.synced.hello().site == push.site)
    } else {
      try first.synced.receive(try zone.take(probe, now: first.now), to: probe, now: first.now)
    }
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).map(\.loans) == [2, 2])
      #expect(try machine.synced.counts().isUpToDate)
    }
    #expect(try zone.storage.lastPush(of: push.site)?.number == first.synced.hello().lastPush)
  }

  @Test func `a value that the server takes goes in place of another, and once more to a server that is new`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_300))
    let book = Book("One")
    book.cover = Data(repeating: 1, count: 700)
    first.context.insert(book)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    book.cover = Data(repeating: 2, count: 700)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try second.all(Book.self, by: SortDescriptor(\.title)).map(\.cover) == [book.cover])
    zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_300))
    for machine in [first, second] {
      try machine.synced.leaveAccount()
      try machine.sync(&zone)
    }
    #expect(zone.storage.rows.count == 1)
    #expect(try first.synced.counts().isUpToDate && second.synced.counts().isUpToDate)
  }

  @Test(arguments: [false, true])
  func `of two new rows that refer to each other the one that is too large waits alone`(isFirst: Bool) throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let (author, topic) = (Author("Ann"), Topic("Sea"))
    author.subject = topic
    first.context.insert(author)
    let text = String(repeating: "a", count: 2_000)
    if isFirst { author.country = text } else { topic.notes = text }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(zone.storage.rows.count == 1 && zone.storage.rows.values.allSatisfy(\.references.isEmpty))
    #expect(try second.synced.counts().isUpToDate && first.synced.counts().tooLarge == 2)
    if isFirst { author.country = "" } else { topic.notes = "" }
    try first.context.save()
    try first.push(&zone)
    try first.pull(zone)
    try second.sync(&zone)
    #expect(try self.topic(second, "Sea")?.expert?.name == "Ann" && first.synced.counts().isUpToDate)
  }

  @Test(arguments: [false, true])
  func `what is too large ends with its row, as others delete that or what it goes with`(isNew: Bool) throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let (ann, ben) = (Author("Ann"), Author("Ben"))
    let book = Book("One", author: ben)
    first.context.insert(ann)
    first.context.insert(book)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    if isNew {
      let large = Book("Large", author: ben)
      large.cover = Data(count: 2_000)
      first.context.insert(large)
    } else {
      // It is moved away from one that goes, whose deletion waits with it.
      (book.cover, book.author) = (Data(count: 2_000), ann)
      try first.context.save()
      first.context.delete(ben)
    }
    try first.context.save()
    try first.sync(&zone)
    #expect(try first.synced.counts().tooLarge == (isNew ? 1 : 2))
    if isNew {
      second.context.delete(try #require(try second.all(Author.self, by: SortDescriptor(\.name)).last))
    } else {
      second.context.delete(try #require(try second.all(Book.self, by: SortDescriptor(\.title)).first))
    }
    try second.context.save()
    for machine in [second, first, first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).isEmpty)
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Ann"])
      #expect(try machine.isDone(zone))
    }
    // What the user wrote is nowhere any more, and nobody else can say so.
    #expect(try first.synced.conflicts(limit: nil).contains { $0.property == nil && $0.outcome == .remote })
  }

  @Test func `what is too large waits on as others delete a row that stays`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(bytes: 1_000))
    let book = Book("One")
    first.context.insert(book)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    (book.title, book.cover) = ("Two", Data(count: 2_000))
    try first.context.save()
    try first.sync(&zone)
    #expect(try first.synced.counts().tooLarge == 1)
    // The server has not heard of it as the deletion comes.
    first.context.insert(Copy("S1", of: book))
    try first.context.save()
    second.context.delete(try #require(try second.all(Book.self, by: SortDescriptor(\.title)).first))
    try second.context.save()
    try second.sync(&zone)
    try first.pull(zone)
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try first.synced.counts().tooLarge == 1)
    book.cover = nil
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.book.title) == ["Two"])
      #expect(try machine.isDone(zone))
    }
  }
}

/// Two rows that have each other, of which one must.
enum Desks: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Clerk.self, Desk.self] }

  @Model final class Clerk {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Desk.clerk) var desk: Desk?

    init(_ name: String) { self.name = name }
  }

  @Model final class Desk {
    var clerk: Clerk

    init(_ clerk: Clerk) { self.clerk = clerk }
  }
}

private enum Offices: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self] }

  @Model final class Person {
    @Attribute(.unique) var name: String
    var photo: Data?
    var manager: Person?
    @Relationship(deleteRule: .cascade, inverse: \Person.manager) var reports: [Person] = []
    init(_ name: String) { self.name = name }
  }
}
