import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Whether a device has what the server has, as the digests of both say.
@Suite struct ComparisonTests {
  private let folder: Folder
  private let machine: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    folder = try Folder()
    machine = try Machine(1, at: folder.store("first"))
    for title in ["One", "Two"] { machine.context.insert(Book(title, author: Author("Ann"))) }
    try machine.context.save()
    try machine.sync(&zone)
  }

  private func differences(_ machine: Machine) throws -> [String]? {
    try machine.synced.differences(from: zone.digest())
  }

  private func titles(_ machine: Machine) throws -> [String] {
    try ModelContext(machine.container).fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.code)])).map(\.title)
  }

  /// Changes the file without anybody being told.
  private func damage(_ sql: String) throws {
    try machine.container.store.pool.write { connection in
      let triggers = try connection.strings("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      for trigger in triggers { try connection.execute("DROP TRIGGER \"\(trigger)\"") }
      try connection.execute(sql)
    }
  }

  private func compare() throws -> SyncCore.Event {
    try machine.synced.take(.digest(try zone.digest()), to: .digest(zone: "test"), now: machine.now)
  }

  @Test mutating func `devices that are up to date have what the server has, also of what was deleted`() throws {
    let second = try Machine(2, at: folder.store("second"))
    try second.sync(&zone)
    let book = try #require(second.all(Book.self, by: SortDescriptor(\.code)).last)
    second.context.delete(book)
    try second.context.save()
    for machine in [second, machine] { try machine.sync(&zone) }
    for each in [machine, second] { #expect(try differences(each) == []) }
    #expect(try compare() == .compared(.same))
  }

  @Test mutating func `what is still to be sent or fetched is no difference`() throws {
    let second = try Machine(2, at: folder.store("second"))
    try second.sync(&zone)
    second.context.insert(Book("Three"))
    try second.context.save()
    #expect(try differences(second) == nil)
    try second.sync(&zone)
    #expect(try differences(second) == [])
    #expect(try differences(machine) == nil)
    #expect(try compare() == .compared(.unknown))
  }

  @Test mutating func `what was sent since the server was asked is no difference`() throws {
    let digest = try zone.digest()
    machine.context.insert(Book("Three"))
    try machine.context.save()
    try machine.push(&zone)
    #expect(try machine.synced.differences(from: digest) == nil)
    try machine.pull(zone)
    #expect(try differences(machine) == [])
  }

  @Test mutating func `what another program has written, and nobody noted yet, is no difference`() throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: machine.url.path)))
    try connection.execute("INSERT INTO Topic (name, notes) VALUES ('Sea', '')")
    connection.close()
    #expect(try differences(machine) == nil)
    try machine.sync(&zone)
    #expect(try differences(machine) == [] && zone.storage.rows.values.contains { $0.row.entity == 3 })
  }

  @Test mutating func `values that stay on a device are no difference`() throws {
    try #require(machine.all(Book.self, by: SortDescriptor(\.code)).first).isOpen = true
    try machine.context.save()
    try machine.sync(&zone)
    #expect(try differences(machine) == [])
  }

  @Test mutating func `rows and fields that only a later program has are no difference`() throws {
    let later = try Machine(2, LibraryV2.self, at: folder.store("later"))
    try later.sync(&zone)
    let book = try #require(later.all(LibraryV2.Book.self, by: SortDescriptor(\.code)).first)
    book.rating = 5
    later.context.insert(LibraryV2.SoldCopy("S1", of: book, to: "Bob"))
    later.context.insert(LibraryV2.Reader("Bob", likes: book))
    try later.context.save()
    for each in [later, machine] { try each.sync(&zone) }
    for each in [later, machine] { #expect(try differences(each) == []) }
  }

  @Test mutating func `rows that are gone without anybody knowing are found, and fetched again`() throws {
    try damage("DELETE FROM Book WHERE title = 'One'")
    #expect(try differences(machine) == ["Book"])
    #expect(try compare() == .compared(.differs(models: ["Book"], isFetchedAnew: true)))
    #expect(try compare() == .compared(.unknown))
    try machine.pull(zone)
    #expect(try compare() == .compared(.same))
    #expect(try titles(machine) == ["One", "Two"])
  }

  @Test mutating func `changes that were missed are found, and fetched again`() throws {
    let second = try Machine(2, at: folder.store("second"))
    try second.sync(&zone)
    try #require(second.all(Book.self, by: SortDescriptor(\.code)).first).title = "New"
    try second.context.save()
    try second.sync(&zone)
    // As if the page had been lacking it.
    let page = try zone.page(behind: try machine.synced.pagePlace().cursor, for: 1, limit: 9)
    var less = page
    less.records = []
    let place = try machine.synced.pagePlace()
    try machine.synced.receive(less, behind: place.cursor, seen: place.seen, now: machine.now)
    #expect(try titles(machine) == ["One", "Two"])
    #expect(try compare() == .compared(.differs(models: ["Book"], isFetchedAnew: true)))
    try machine.pull(zone)
    #expect(try titles(machine) == ["New", "Two"])
    #expect(try compare() == .compared(.same))
  }

  @Test mutating func `what fetching all anew does not help is told each time, and all is fetched once`() throws {
    try damage("INSERT INTO Topic (name, notes) VALUES ('Sea', '')")
    #expect(try compare() == .compared(.differs(models: ["Topic"], isFetchedAnew: true)))
    try machine.pull(zone)
    for _ in 0..<2 { #expect(try compare() == .compared(.differs(models: ["Topic"], isFetchedAnew: false))) }
    try damage("DELETE FROM Topic")
    #expect(try compare() == .compared(.same))
  }
}
