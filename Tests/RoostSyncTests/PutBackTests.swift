import Foundation
import Roost
@testable import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Devices whose server's data was put back from a backup.
@Suite struct PutBackTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    (folder, first, second) = try Machine.two()
    let book = Book("One", author: Author("Ann"))
    (book.price, book.loans, book.marks, book.lines) = (2, 9, ["a"], ["a"])
    first.context.insert(book)
    try first.context.save()
    try syncAll()
  }

  private mutating func syncAll() throws {
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
  }

  private func book(_ machine: Machine) throws -> Book {
    try #require(machine.all(Book.self, by: SortDescriptor(\.code)).first)
  }

  private func change(_ machine: Machine, _ body: (Book) -> Void) throws {
    body(try book(machine))
    try machine.context.save()
  }

  @Test(arguments: [true, false])
  mutating func `what became nil since is nil still, whether the server ever had that`(isSent: Bool) throws {
    let backup = zone
    try change(first) { $0.title = "Two" }
    if isSent { try change(first) { ($0.price, $0.author) = (nil, nil) } }
    try syncAll()
    if !isSent { try change(first) { ($0.price, $0.author) = (nil, nil) } }
    zone = backup
    try syncAll()
    for machine in [first, second] {
      let book = try book(machine)
      #expect(book.title == "Two" && book.price == nil && book.author == nil)
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `who was away while others went on after it sends what they lack, and leaves what they wrote`()
    throws
  {
    let backup = zone
    try change(second) { ($0.price, $0.best) = (5, 1) }
    try second.sync(&zone)
    zone = backup
    try change(first) { ($0.title, $0.best, $0.author) = ("New", 2, nil) }
    try first.sync(&zone)
    try syncAll()
    for machine in [first, second] {
      let book = try book(machine)
      #expect(book.title == "New" && book.author == nil && book.price == 5 && book.best == 2)
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `of two that send again what others lack the one counts that saw more, whichever comes first`()
    throws
  {
    for isFirst in [true, false] {
      let backup = zone
      try change(second) { $0.title = "Two" }
      try syncAll()
      try change(first) { $0.title = "Three" }
      try first.sync(&zone)
      zone = backup
      for machine in isFirst ? [first, second] : [second, first] { try machine.sync(&zone) }
      try syncAll()
      for machine in [first, second] { #expect(try book(machine).title == "Three") }
    }
  }

  @Test func `places of long ago are known, fewer the longer ago`() {
    var state = SyncState(zone: "z", site: 1, transaction: 0)
    for sequence in 1...10_000 as ClosedRange<Int64> {
      state.notePulled(SyncPlace(sequence: sequence, mark: UInt64(sequence)))
    }
    let places = state.former ?? []
    #expect(places.count <= 24 && places.last?.sequence == 10_000)
    for ago in [10, 100, 1_000, 5_000] as [Int64] {
      #expect(places.contains { (10_000 - 3 * ago...10_000 - ago).contains($0.sequence) }, "\(ago)")
    }
  }

  @Test mutating func `what was never sent counts beside what others send again`() throws {
    let backup = zone
    try change(first) { ($0.loans, $0.marks, $0.lines) = (10, ["a", "b"], ["a", "b"]) }
    try syncAll()
    try change(second) {
      $0.loans += 1
      $0.marks.append("c")
      $0.lines.append("c")
    }
    zone = backup
    try syncAll()
    for machine in [first, second] {
      let book = try book(machine)
      #expect(book.loans == 11 && Set(book.marks) == ["a", "b", "c"] && book.lines == ["a", "b", "c"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test(arguments: [true, false])
  mutating func `nothing that others wrote since is replaced by who has no place of the copy, or fetches all anew`(
    isNew: Bool
  ) throws {
    let backup = zone
    try change(second) { $0.price = 5 }
    try syncAll()
    let late = isNew ? try Machine(3, at: folder.store("third")) : first
    try late.sync(&zone)
    if !isNew {
      // The answer to a push has no room for its rows.
      try change(first) { $0.best = 1 }
      let push = try #require(try first.synced.nextPush(identity: 7, now: first.now))
      var answer = try zone.take(push, now: first.now)
      (answer.records, answer.rest) = ([], 0)
      try first.synced.receive(answer, to: push, now: first.now)
    }
    zone = backup
    try second.sync(&zone)
    try change(second) { $0.title = "New" }
    try second.sync(&zone)
    late.now += 60_000
    for machine in [late, second, late] { try machine.sync(&zone) }
    #expect(try book(second).title == "New" && book(late).title == "New" && book(late).price == 5)
  }

  @Test mutating func `who goes over to an account later replaces nothing there, and adds what was not sent`() throws {
    var other = SyncZone(MemoryZone(SyncRegistry()))
    try first.synced.leaveAccount()
    try first.sync(&other)
    try change(first) { ($0.title, $0.loans) = ("New", 11) }
    try first.sync(&other)
    try change(second) { $0.loans += 1 }
    second.now += 60_000
    try second.synced.leaveAccount()
    for machine in [second, first, second] { try machine.sync(&other) }
    for machine in [first, second] {
      #expect(try book(machine).title == "New" && book(machine).loans == 12)
    }
  }

  @Test mutating func `a row that became another one elsewhere is not deleted as the store comes back`() throws {
    var other = SyncZone(MemoryZone(SyncRegistry()))
    let third = try Machine(3, at: folder.store("third"))
    third.context.insert(Author("Ann"))
    try third.context.save()
    try third.sync(&other)
    try first.synced.leaveAccount()
    for _ in 0..<2 { try first.sync(&other) }
    let ann = try #require(second.all(Author.self, by: SortDescriptor(\.name)).first)
    second.context.insert(Book("Two", author: ann))
    try second.context.save()
    try second.sync(&zone)
    try first.synced.leaveAccount()
    for machine in [first, second, first] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Book.self, by: SortDescriptor(\.code)).map(\.code) == ["One", "Two"])
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Ann"])
    }
  }

  @Test mutating func `what a device wrote that came after the backup is there again, and not what was there before`()
    throws
  {
    let backup = zone
    try change(second) { $0.price = 5 }
    try syncAll()
    let third = try Machine(3, at: folder.store("third"))
    try third.sync(&zone)
    try change(third) { $0.title = "Mine" }
    try third.atItsTime { try third.context.save() }
    try third.sync(&zone)
    zone = backup
    for _ in 0..<2 { try third.sync(&zone) }
    #expect(try book(third).title == "Mine" && book(third).price == 5)
  }
}
