import Foundation
import Roost
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// What a file says of its server, which others may write to.
@Suite struct StateFileTests {
  @Test(arguments: [
    ("state", "$.nextKey"), ("state", "$.lastPush"), ("state", "$.zoneChanges"), ("state", "$.pulled.sequence"),
    ("session", "$.limits.edits"), ("session", "$.numbers.entities.Author.number"),
  ]) func `numbers that no server gives are an error, and nothing is sent`(name: String, path: String) throws {
    let folder = try Folder()
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let machine = try Machine(1, at: folder.store("1"))
    try machine.sync(&zone)
    let connection = try Connection(ConnectionOptions(location: .file(path: machine.url.path)))
    defer { connection.close() }
    for number in [Int64.max, .min] {
      try connection.execute(
        "UPDATE _roost_sync_state SET value = json_set(value, '\(path)', \(number)) WHERE name = '\(name)'")
      machine.context.insert(Topic("Sea"))
      try machine.context.save()
      #expect {
        try machine.sync(&zone)
      } throws: { ($0 as? SwiftDataError) == .corruptValue }
    }
    #expect(zone.storage.rows.isEmpty)
  }

  @Test func `a welcome with numbers that no server gives is not possible`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let schema = SyncSchema(entities: [SyncEntity(SyncName("Note"), fields: [])])
    var welcome = try zone.begin(SyncHello(zone: "z", site: 1, schema: schema), now: 1)
    #expect(welcome.isPossible)
    welcome.lastPush = SyncPlace.most
    #expect(!welcome.isPossible)
    welcome.lastPush = 0
    welcome.numbers.entities["Note"]?.classes = ["Note": .min]
    #expect(!welcome.isPossible)
  }

  @Test func `texts that differ by their bytes alone have different hashes, and there is one NaN`() {
    let accents = ["\u{300}", "\u{323}", "\u{327}", "\u{31b}"]
    let texts = [[0, 1, 2, 3], [1, 0, 2, 3], [2, 1, 0, 3], [3, 2, 1, 0]].map { order in
      SyncValue.text("a" + order.map { accents[$0] }.joined())
    }
    #expect(Set(texts).count == 4 && Set(texts.map(\.hashValue)).count > 1)
    #expect(Set([SyncValue.real(.nan), .real(-.nan)]).count == 1)
  }
}
