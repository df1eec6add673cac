import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// What history says of many changes at once.
@Suite struct CaptureTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { (folder, first, second) = try Machine.two() }

  private mutating func syncAll() throws {
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
  }

  private func book(_ machine: Machine, _ code: String) throws -> Book {
    try #require(try machine.all(Book.self, by: SortDescriptor(\.code)).first { $0.code == code })
  }

  @Test mutating func `an update with more former values than history keeps is sent, and what others add stays`() throws
  {
    // The first row's former value is as much as is kept.
    let (large, small) = (Book("A"), Book("B"))
    (small.price, small.marks, small.loans, small.author) = (2, ["a", "b"], 3, Author("Ann"))
    for book in [large, small] { first.context.insert(book) }
    try first.context.save()
    try syncAll()
    large.cover = Data(count: 32 << 20)
    try first.context.save()
    large.cover = nil
    (small.price, small.marks, small.loans, small.author, small.title) = (nil, ["a"], 4, nil, "C")
    try first.context.save()
    let other = try book(second, "B")
    other.loans += 5
    other.marks.append("d")
    try second.context.save()
    try second.sync(&zone)
    try syncAll()
    for machine in [first, second] {
      let book = try book(machine, "B")
      #expect(book.price == nil && book.author == nil && book.title == "C")
      // A SQLite without the preupdate hook notes by triggers, which keep all former values:
      // the counter's edit is known too.
      #expect((8...9).contains(book.loans) && book.marks.contains("d"))
    }
  }

  @Test mutating func `what a row lets go of in the save that deletes it is let go of by the user`() throws {
    let ann = Author("Ann")
    let book = Book("One", author: ann)
    first.context.insert(book)
    try first.context.save()
    try syncAll()
    book.author = nil
    first.context.delete(ann)
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    let edits = push.edits.filter { $0.kind == .update }.flatMap { $0.fields.values.filter { $0.value == .null } }
    #expect(edits.count == 1 && edits.allSatisfy { $0.stamp.time > 0 })
  }

  @Test(arguments: [false, true])
  mutating func `a row that comes back has none of the values of the one that got its key`(isNotedBefore: Bool) throws {
    let sea = Topic("Sea")
    sea.label = "blue"
    first.context.insert(sea)
    try first.context.save()
    try syncAll()
    let key = sea.persistentModelID.key
    if isNotedBefore {
      sea.label = "grey"
      try first.context.save()
      try first.synced.noteChanges(now: first.now)
    }
    sea.label = "green"
    try first.context.save()
    // More than are noted together.
    for number in 0..<30 { first.context.insert(Book("\(number)")) }
    try first.context.save()
    // The program would note what it does before it deletes.
    let connection = try Connection(ConnectionOptions(location: .file(path: first.url.path)))
    defer { connection.close() }
    try connection.execute("DELETE FROM Topic WHERE _pk = \(key)")
    try connection.execute("INSERT INTO Topic (_pk, name, notes, label) VALUES (\(key), 'Lake', '', 'deep')")
    // An edit of a topic wins.
    try #require(try second.all(Topic.self, by: SortDescriptor(\.name)).first).motto = "Ahoy"
    try second.context.save()
    try second.sync(&zone)
    try syncAll()
    for machine in [first, second] {
      let topics = try machine.all(Topic.self, by: SortDescriptor(\.name))
      #expect(
        topics.map(\.name) == ["Lake", "Sea"] && topics.map(\.label) == ["deep", isNotedBefore ? "grey" : "blue"])
    }
  }

  @Test mutating func `what a row lets go of before that is deleted stays, however many changes are noted together`()
    throws
  {
    let ann = Author("Ann")
    let book = Book("One", author: ann)
    first.context.insert(book)
    try first.context.save()
    try syncAll()
    ann.born = 1970
    try first.context.save()
    for number in 0..<30 { first.context.insert(Topic("\(number)")) }
    try first.context.save()
    book.author = nil
    try first.context.save()
    first.context.delete(ann)
    try first.context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).isEmpty)
      #expect(try machine.all(Book.self, by: SortDescriptor(\.code)).map(\.code) == ["One"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test(arguments: [true, false])
  mutating func `a row that SQL puts in place of another one is there once on all devices`(isShell: Bool) throws {
    first.context.insert(Topic("Sea"))
    first.context.insert(Topic("Lake"))
    try first.context.save()
    try syncAll()
    if isShell {
      let connection = try Connection(ConnectionOptions(location: .file(path: first.url.path)))
      defer { connection.close() }
      try connection.execute(
        "INSERT OR REPLACE INTO Topic (_pk, name, notes) SELECT _pk, 'Bay', '' FROM Topic WHERE name = 'Sea'")
    } else {
      try first.context.execute(
        sql: "INSERT OR REPLACE INTO Topic (_pk, name, notes) SELECT _pk, 'Bay', '' FROM Topic WHERE name = 'Sea'")
    }
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Topic.self, by: SortDescriptor(\.name)).map(\.name) == ["Bay", "Lake"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test
  mutating func `a row that is deleted before a migration is gone, whatever SQL puts in the place of its key then`()
    throws
  {
    first.context.insert(Topic("Sea"))
    try first.context.save()
    try syncAll()
    try first.context.delete(model: Topic.self)
    try first.context.save()
    let later = try first.reopened(random: 1, LibraryV2.self)
    let connection = try Connection(ConnectionOptions(location: .file(path: first.url.path)))
    for name in ["Bay", "Lake"] {
      try connection.execute("REPLACE INTO Topic (_pk, name, notes) VALUES (1, '\(name)', '')")
    }
    connection.close()
    for machine in [later, second, later] { try machine.sync(&zone) }
    let names = try later.all(LibraryV2.Topic.self, by: SortDescriptor(\.name)).map(\.name)
    #expect(try names == ["Lake"] && second.all(Topic.self, by: SortDescriptor(\.name)).map(\.name) == names)
  }

  @Test mutating func `a link that the shell moves is moved on all devices`() throws {
    let (book, lake) = (Book("One"), Topic("Lake"))
    book.topics = [Topic("Sea")]
    first.context.insert(book)
    first.context.insert(lake)
    try first.context.save()
    try syncAll()
    let connection = try Connection(ConnectionOptions(location: .file(path: first.url.path)))
    try connection.execute("UPDATE Book_topics SET topics = (SELECT _pk FROM Topic WHERE name = 'Lake')")
    connection.close()
    try syncAll()
    try self.book(second, "One").title = "Two"
    try second.context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(try self.book(machine, "One").topics.map(\.name) == ["Lake"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `a counter that is what it was adds nothing, however many changes are noted together`() throws {
    let mine = Book("One")
    (mine.loans, mine.marks) = (5, ["a"])
    first.context.insert(mine)
    try first.context.save()
    try syncAll()
    (mine.loans, mine.marks) = (8, ["a", "b"])
    try first.context.save()
    for number in 0..<30 { first.context.insert(Topic("\(number)")) }
    try first.context.save()
    (mine.loans, mine.marks) = (5, ["a"])
    try first.context.save()
    let other = try book(second, "One")
    other.loans += 1
    other.marks.append("b")
    try second.context.save()
    try second.sync(&zone)
    try syncAll()
    for machine in [first, second] {
      #expect(try book(machine, "One").loans == 6 && book(machine, "One").marks == ["a", "b"])
    }
  }

  enum Deletion: CaseIterable { case model, predicate, erase, sql }

  @Test(arguments: Deletion.allCases)
  mutating func `a row that comes back has what it was given, and took along, just before it was deleted`(
    by deletion: Deletion
  ) throws {
    let (topic, picture) = (Topic("Sea"), Picture("Waves", PictureSize(width: 1, height: nil)))
    for model in [topic, picture] as [any PersistentModel] { first.context.insert(model) }
    try first.context.save()
    try syncAll()
    topic.pictures = [picture]
    topic.label = "blue"
    try first.context.save()
    switch deletion {
    case .model: first.context.delete(topic)
    case .predicate: try first.context.delete(model: Topic.self)
    case .erase: try first.container.erase()
    case .sql: try first.context.execute(sql: "DELETE FROM Topic")
    }
    try first.context.save()
    // An edit of a topic wins.
    try #require(try second.all(Topic.self, by: SortDescriptor(\.name)).first).motto = "Ahoy"
    try second.context.save()
    try second.sync(&zone)
    try syncAll()
    for machine in [first, second] {
      let topic = try #require(try machine.all(Topic.self, by: SortDescriptor(\.name)).first)
      #expect(topic.label == "blue" && topic.motto == "Ahoy" && topic.pictures.map(\.name) == ["Waves"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `deletions one after the other are noted together, behind what was written before`() throws {
    let topics = ["Sea", "Lake", "Bay"].map { Topic($0) }
    for topic in topics { first.context.insert(topic) }
    try first.context.save()
    try syncAll()
    for topic in topics.prefix(2) {
      first.context.delete(topic)
      try first.context.save()
    }
    #expect(try first.synced.counts().transactions == 2)
    topics[2].label = "blue"
    try first.context.save()
    first.context.delete(topics[2])
    try first.context.save()
    #expect(try first.synced.counts().transactions == 1)
    try syncAll()
    for machine in [first, second] { #expect(try machine.all(Topic.self, by: SortDescriptor(\.name)).isEmpty) }
  }
}
