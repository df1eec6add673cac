import Foundation
import Roost
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Saves that change more than a push has room for.
@Suite struct LargeTransactionTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine

  init() throws { (folder, first, second) = try Machine.two() }

  /// How many edits a server takes: few, so that a save goes in parts, or all.
  private static let sizes = [1, 3, 50_000]

  @Test(arguments: sizes, [false, true])
  func `what moved away from rows that the same save deleted is where it moved`(edits: Int, isEditedBefore: Bool) throws
  {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: edits))
    let (ann, bob) = (Author("Ann"), Author("Bob"))
    let (old, new) = (Book("Old", author: ann), Book("New", author: bob))
    let kept = (0..<5).map { Book("\($0)", author: ann) }
    let (wide, wider, sea) = (Topic("A"), Topic("B"), Topic("Sea"))
    sea.wider = wide
    sea.books = [old, new]
    sea.expert = ann
    let chapters = (0..<3).map { Chapter("\($0)", of: old) }
    let passport = Passport("P")
    passport.owner = ann
    for model in [ann, bob, old, new, wide, wider, sea, passport] as [any PersistentModel] {
      first.context.insert(model)
    }
    for model in kept as [any PersistentModel] + chapters { first.context.insert(model) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }

    if isEditedBefore {
      (ann.born, old.price, wide.motto) = (1950, 2, "Ahoy")
      try first.context.save()
      try first.synced.noteChanges(now: first.now)
    }
    for book in kept { book.author = bob }
    for chapter in chapters { chapter.book = new }
    (sea.wider, sea.expert, passport.owner) = (wider, bob, bob)
    for model in [ann, old, wide] as [any PersistentModel] { first.context.delete(model) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      let books = try machine.all(Book.self, by: SortDescriptor(\.title))
      #expect(books.map(\.title) == ["0", "1", "2", "3", "4", "New"] && books.allSatisfy { $0.author?.name == "Bob" })
      #expect(try machine.all(Chapter.self, by: SortDescriptor(\.title)).map(\.book.title) == ["New", "New", "New"])
      let topics = try machine.all(Topic.self, by: SortDescriptor(\.name))
      #expect(topics.map(\.name) == ["B", "Sea"] && topics.last?.wider?.name == "B")
      #expect(topics.last?.expert?.name == "Bob" && topics.last?.books.map(\.title) == ["New"])
      #expect(try machine.all(Passport.self, by: SortDescriptor(\.number)).map(\.owner?.name) == ["Bob"])
      #expect(try machine.synced.counts().isUpToDate)
    }
  }

  @Test(arguments: sizes) func `what a save deletes below a row that it moves is gone`(edits: Int) throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: edits))
    let (ann, bob) = (Author("Ann"), Author("Bob"))
    let book = Book("One", author: ann)
    let chapters = ["I", "II"].map { Chapter($0, of: book) }
    for model in [ann, bob, book] as [any PersistentModel] + chapters { first.context.insert(model) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    book.author = bob
    first.context.delete(chapters[0])
    first.context.delete(ann)
    try first.context.save()
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      #expect(try machine.all(Chapter.self, by: SortDescriptor(\.title)).map(\.title) == ["II"])
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).map(\.author?.name) == ["Bob"])
    }
  }

  @Test(arguments: [1, 2, 100])
  func `a deletion takes nothing along that was moved away, of which a later page tells`(rows: Int) throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(rows: rows))
    let (ann, bob) = (Author("Ann"), Author("Bob"))
    let (book, reader) = (Book("One", author: ann), Topic("Sea"))
    reader.books = [book]
    for model in [ann, bob, book, reader, Chapter("I", of: book)] as [any PersistentModel] {
      first.context.insert(model)
    }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let shown = try #require(try second.all(Book.self, by: SortDescriptor(\.title)).first)
    shown.isOpen = true
    try second.context.save()
    book.author = bob
    first.context.delete(ann)
    try first.context.save()
    try first.sync(&zone)
    // Its place is behind that of the deletion.
    book.price = 2
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      let books = try machine.all(Book.self, by: SortDescriptor(\.title))
      #expect(books.map(\.author?.name) == ["Bob"] && books.first?.chapters.map(\.title) == ["I"])
      #expect(try books.first?.topics.map(\.name) == ["Sea"] && machine.isDone(zone))
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Bob"])
    }
    #expect(try second.all(Book.self, by: SortDescriptor(\.title)).first?.isOpen == true)
  }

  @Test(arguments: sizes) func `rows that pass unique values on are all there`(edits: Int) throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: SyncLimits(edits: edits))
    let authors = (1...4).map { Author("\($0)") }
    for author in authors { first.context.insert(author) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for (place, author) in authors.enumerated() { author.name = "\(place + 2)" }
    try first.context.save()
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    let names = try [first, second].map { try $0.all(Author.self, by: SortDescriptor(\.name)).map(\.name) }
    // A name that another part has yet to give up is not given.
    #expect(names[0].count == 4 && names[1] == names[0] && (edits < 4 || names[0] == ["2", "3", "4", "5"]))
  }

  @Test func `what is saved while a large change is on its way goes in one push if the server takes as much`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let machine = try Machine(3, at: folder.store("third"), pushSize: SyncPushSize(wholeBytes: 2_000, edits: 2))
    try machine.begin(&zone)
    let large = Book("Large")
    large.cover = Data(count: 3_000)
    machine.context.insert(large)
    try machine.context.save()
    let push = try #require(try machine.synced.nextPush(identity: 1, now: machine.now))
    for number in 0..<3 { machine.context.insert(Topic("\(number)")) }
    try machine.context.save()
    try machine.synced.receive(zone.take(push, now: machine.now), now: machine.now)
    #expect(try machine.synced.nextPush(identity: 2, now: machine.now)?.edits.count == 3)
  }

  @Test func `new rows of a list that has many are looked for once`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let topic = Topic("Sea")
    first.context.insert(topic)
    var counts: [Int] = []
    for round in 0..<3 {
      topic.pictures += (0..<100).map { Picture("\(round).\($0)", PictureSize(width: 1)) }
      try first.context.save()
      try first.begin(&zone)
      let before = try first.container.store.pool.write { $0.statementsRun }
      _ = try first.synced.nextPush(identity: 1, now: first.now)
      counts.append(try first.container.store.pool.write { $0.statementsRun } - before)
      try first.push(&zone)
    }
    #expect(counts[2] - counts[1] < 1_000)
  }

  /// Makes books in one save, and returns how many edits the next pushes have.
  private func pushes(of machine: Machine, _ limits: SyncLimits, _ counts: [Int]) throws -> [Int] {
    var zone = SyncZone(MemoryZone(SyncRegistry()), limits: limits)
    try machine.begin(&zone)
    for count in counts {
      for number in 0..<count { machine.context.insert(Book("\(count).\(number)")) }
      try machine.context.save()
    }
    var pushes: [Int] = []
    while let push = try machine.synced.nextPush(identity: 1, now: machine.now) {
      pushes.append(push.edits.count)
      try machine.synced.receive(zone.take(push, now: machine.now), now: machine.now)
    }
    return pushes
  }

  @Test func `all that waits goes in one push if the server takes as much`() throws {
    let machine = try Machine(3, at: folder.store("third"), pushSize: SyncPushSize(edits: 4))
    #expect(try pushes(of: machine, SyncLimits(), [2, 2, 7]) == [11])
  }

  @Test func `what is more than the server takes, or than is sent at once, goes in parts of the usual size`() throws {
    let small = try Machine(3, at: folder.store("third"), pushSize: SyncPushSize(edits: 4))
    #expect(try pushes(of: small, SyncLimits(edits: 6), [6, 3]) == [4, 4, 1])
    let light = try Machine(4, at: folder.store("fourth"), pushSize: SyncPushSize(wholeBytes: 200, edits: 4))
    #expect(try pushes(of: light, SyncLimits(), [9]).count > 2)
  }
}
