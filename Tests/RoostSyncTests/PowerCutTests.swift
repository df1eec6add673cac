import FaultyDisk
import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// A device that loses what the disk had not written when the power was cut.
@Suite struct PowerCutTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  @Test mutating func `what was added to a counter is added once, though the power is cut as it is sent`() throws {
    let disk = FaultyDisk()
    let first = try Machine(1, Ferries.self, at: folder.store("first"), on: disk)
    let ferry = Ferries.Ferry("One")
    first.context.insert(ferry)
    try first.context.save()
    try first.sync(&zone)
    ferry.count = 1
    try first.context.save()
    try first.synced.noteChanges(now: first.now)
    // All of this is on the disk, as closing writes it.
    let restarted = try first.reopened(random: 1)
    let left = folder.url.appendingPathComponent("left")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    let store = left.appendingPathComponent("first.store")
    try FileManager.default.copyItem(at: first.url, to: store)
    disk.keepSynchronized(in: left)
    try restarted.begin(&zone)
    try restarted.push(&zone)
    disk.keepSynchronized(in: nil)
    let after = try Machine(0, random: 2, Ferries.self, at: store)
    after.now = restarted.now
    do { try after.sync(&zone) } catch SyncZoneError.otherPush {
      try after.synced.takeSite(7)
      try after.sync(&zone)
    }
    #expect(try after.all(Ferries.Ferry.self, by: SortDescriptor(\.name)).map(\.count) == [1])
  }
}

/// Without values that may be in files, whose stores are on the disk with each commit.
private enum Ferries: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Ferry.self] }

  @Model final class Ferry {
    var name: String
    @Attribute(.merge(.counter)) var count = 0
    init(_ name: String) { self.name = name }
  }
}
