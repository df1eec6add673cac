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
@Suite struct ListPlacesTests {
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
}
