import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Edits that come between a push and what others make of it.
@Suite struct WaitingEditTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine

  init() throws { (folder, first, second) = try Machine.two() }

  private func book(_ machine: Machine) throws -> Book {
    try #require(machine.all(Book.self, by: SortDescriptor(\.code)).first)
  }

  @Test func `a counter that is edited while its row waits to be shown has all that was added`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    first.context.insert(Book("One"))
    try first.context.save()
    try first.sync(&zone)
    try second.sync(&zone)
    let theirs = try book(second)
    (theirs.loans, theirs.author) = (5, Author("Ann"))
    try theirs.modelContext?.save()
    try second.sync(&zone)
    // The answer has the row with an author that is not here yet.
    let mine = try book(first)
    mine.loans += 1
    try mine.modelContext?.save()
    try first.push(&zone)
    #expect(mine.author == nil)
    mine.loans += 2
    try mine.modelContext?.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try book(machine).loans == 8 && book(machine).author?.name == "Ann")
      #expect(try machine.synced.counts().isUpToDate)
    }
  }

  @Test func `a row that lets go of another stays when that is deleted, in whatever order they are noted`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let author = Author("Ann")
    let one = Book("One", author: author)
    first.context.insert(one)
    try first.context.save()
    try first.sync(&zone)
    author.born = 1_970
    try first.context.save()
    one.author = nil
    first.context.delete(author)
    try first.context.save()
    try first.sync(&zone)
    try second.sync(&zone)
    for machine in [first, second] {
      #expect(try book(machine).author == nil && machine.all(Author.self, by: SortDescriptor(\.name)).isEmpty)
      #expect(try machine.synced.counts().isUpToDate)
    }
  }
}
