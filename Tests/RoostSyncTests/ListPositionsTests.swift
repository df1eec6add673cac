import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Places in lists, which each device gives its own.
@Suite struct ListPositionsTests {
  @Test(arguments: [1, 0x1234_5678_9abc_def0, UInt64.max])
  func `places are near the keys, whatever a device is called`(site: UInt64) throws {
    let folder = try Folder()
    let machine = try Machine(site, random: .max, at: folder.store("first"))
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let author = Author("Ann")
    machine.context.insert(author)
    for title in ["c", "a", "b"] { author.books.append(Book(title)) }
    try machine.context.save()
    try machine.sync(&zone)
    let far = try machine.container.store.pool.read { connection in
      try connection.strings("SELECT _author_position FROM Book WHERE abs(_author_position - _pk) > 0.001")
    }
    #expect(far == [])
    #expect(author.books.map(\.title) == ["c", "a", "b"])
  }

  /// Two devices, whose keys are in opposite orders, with two books that are the first of
  /// their lists, as one device has it.
  private func devices(in folder: Folder, _ zone: inout SyncZone<MemoryZone>) throws -> (Machine, Machine) {
    let (first, second) = (try Machine(1, at: folder.store("first")), try Machine(2, at: folder.store("second")))
    for (machine, title) in [(first, "One"), (second, "Two")] {
      machine.context.insert(Book(title))
      try machine.context.save()
    }
    for machine in [first, second, first] { try machine.sync(&zone) }
    for (name, book) in zip(["Ann", "Bob"], try first.all(Book.self, by: SortDescriptor(\.title))) {
      first.context.insert(Author(name))
      try first.context.save()
      try #require(first.all(Author.self, by: SortDescriptor(\.name)).last).books.append(book)
      try first.context.save()
    }
    for machine in [first, second] { try machine.sync(&zone) }
    return (first, second)
  }

  /// Has both be in one list, with the places that they have, as where one device gave the list and another the place.
  private func join(_ zone: inout SyncZone<MemoryZone>) throws {
    func record(of name: String) -> SyncRecord? {
      zone.storage.rows.values.first { $0.fields.values.contains { $0.value == .text(name) } }
    }
    let (ann, bob) = (try #require(record(of: "Ann")), try #require(record(of: "Bob")))
    var book = try #require(record(of: "Two"))
    let author = try #require(book.fields.first { $0.value.value == .row(bob.row) })
    let place = SyncPlace(sequence: zone.storage.place.sequence + 1, mark: 1)
    book.fields[author.key] = SyncField(value: .row(ann.row), stamp: author.value.stamp, sequence: place.sequence)
    book.sequence = place.sequence
    zone.storage.setPlace(place)
    zone.storage.put(book)
  }

  private func order(_ machine: Machine) throws -> [String] {
    let authors = try ModelContext(machine.container).fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
    return try #require(authors.first).books.map(\.title)
  }

  @Test(arguments: [["a", "b"], ["b", "a"]], [nil, "a", "b"])
  func `members that SQL gives one place stay in the order of their keys`(titles: [String], place: String?) throws {
    let (folder, first, second) = try Machine.two()
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    for name in ["Ann", "Bob"] { first.context.insert(Author(name)) }
    let authors = try first.all(Author.self, by: SortDescriptor(\.name))
    for (title, author) in zip(["a", "b"], authors) {
      first.context.insert(Book(title, author: author))
      try first.context.save()
    }
    try first.sync(&zone)
    for title in titles {
      try first.context.execute(
        sql: """
          UPDATE Book SET author = (SELECT _pk FROM Author WHERE name = 'Ann'), _author_position =
          ifnull((SELECT _author_position FROM Book WHERE title = \(place)), 7) WHERE title = \(title)
          """)
    }
    let former = try order(first)
    for machine in [first, second, first] { try machine.sync(&zone) }
    #expect(try order(first) == former && order(second) == former)
    withExtendedLifetime(folder) {}
  }

  @Test func `members that SQL gives one place take statements in proportion to their number`() throws {
    func statements(_ count: Int) throws -> Int {
      let (folder, recorder) = (try Folder(), StatementRecorder())
      let machine = try Machine(1, at: folder.store("one"), recorder: recorder)
      var zone = SyncZone(MemoryZone(SyncRegistry()))
      let author = Author("Ann")
      machine.context.insert(author)
      for number in 0..<count { machine.context.insert(Book("\(number)", author: author)) }
      try machine.context.save()
      try machine.sync(&zone)
      try machine.context.execute(sql: "UPDATE Book SET _author_position = 7")
      let before = recorder.statements.count
      try machine.sync(&zone)
      let positions = try machine.container.store.pool.read { connection in
        try connection.strings("SELECT count(DISTINCT _author_position) FROM Book")
      }
      #expect(positions == ["\(count)"])
      return recorder.statements.count - before
    }
    #expect(try statements(400) < 6 * statements(100))
  }

  @Test func `members that come to one list with the same place stand in one order on all devices`() throws {
    let folder = try Folder()
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let (first, second) = try devices(in: folder, &zone)
    try join(&zone)
    for machine in [first, second, first, second] { try machine.sync(&zone) }
    #expect(try order(first).count == 2 && order(first) == order(second))
    for machine in [first, second] { #expect(try machine.synced.counts().isUpToDate) }
  }

  @Test func `members without a place at the server stand in one order on all devices`() throws {
    let folder = try Folder()
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let (first, second) = try devices(in: folder, &zone)
    try join(&zone)
    for machine in [first, second, first] { try machine.sync(&zone) }
    // As where one store's edit gave the list, and that of another, which was put back, the place.
    for var record in zone.storage.rows.values.sorted(by: { $0.sequence < $1.sequence }) {
      for (number, field) in record.fields {
        guard case .real = field.value else { continue }
        let place = SyncPlace(sequence: zone.storage.place.sequence + 1, mark: 1)
        record.fields[number] = SyncField(value: .null, stamp: field.stamp, sequence: place.sequence)
        record.sequence = place.sequence
        zone.storage.setPlace(place)
        zone.storage.put(record)
      }
    }
    for machine in [first, second, first, second] { try machine.sync(&zone) }
    #expect(try order(first).count == 2 && order(first) == order(second))
    for machine in [first, second] { #expect(try machine.synced.counts().isUpToDate) }
  }

  @Test func `a member that is moved while another device tells it from one with the same place is where it was moved`()
    throws
  {
    let folder = try Folder()
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let (first, second) = try devices(in: folder, &zone)
    try join(&zone)
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try second.synced.counts().pending == 1)
    let author = try #require(first.all(Author.self, by: SortDescriptor(\.name)).first)
    author.books.insert(author.books.removeLast(), at: 0)
    let moved = author.books.map(\.title)
    try first.context.save()
    for machine in [second, first, second, first] { try machine.sync(&zone) }
    #expect(try moved == ["Two", "One"] && order(first) == moved && order(second) == moved)
  }

  @Test(.timeLimit(.minutes(10))) func `a number that no other follows is no place`() throws {
    let folder = try Folder()
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let (first, second) = try devices(in: folder, &zone)
    try join(&zone)
    try first.sync(&zone)
    try first.context.execute(sql: "UPDATE Book SET title = title || '!', _author_position = 1.7976931348623157e308")
    for machine in [first, second, first, second] { try machine.sync(&zone) }
    #expect(try order(first).count == 2 && order(first) == order(second))
    for machine in [first, second] { #expect(try machine.synced.counts().isUpToDate) }
  }

  @Test func `a member that is put between two others stays between them, however often that is done`() throws {
    let folder = try Folder()
    let machine = try Machine(1, random: .max, at: folder.store("first"))
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let author = Author("Ann")
    machine.context.insert(author)
    for title in ["first", "last"] { author.books.append(Book(title)) }
    try machine.context.save()
    try machine.sync(&zone)
    var titles = ["first", "last"]
    for number in 0..<70 {
      author.books.insert(Book("\(number)"), at: 1)
      titles.insert("\(number)", at: 1)
      try machine.context.save()
      try machine.sync(&zone)
      #expect(
        try #require(ModelContext(machine.container).fetch(FetchDescriptor<Author>()).first).books.map(\.title)
          == titles)
    }
  }
}
