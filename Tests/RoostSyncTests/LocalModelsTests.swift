import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncServer
import SyncSimulation
import TestSupport
import Testing

/// Synced; visits are not.
@Model private final class Room {
  var name: String
  init(_ name: String) { self.name = name }
}

@Model private final class Visit {
  var room: Room
  init(_ room: Room) { self.room = room }
}

/// Models that are not synced, and refer to those that are.
@Suite struct LocalModelsTests {
  private let folder: Folder
  private let server: SyncServer

  init() throws {
    folder = try Folder()
    server = try SyncServer(data: folder.url.appendingPathComponent("server"))
  }

  private func container(_ name: String, syncing models: [any PersistentModel.Type] = [Room.self]) throws
    -> ModelContainer
  {
    var configuration = ModelConfiguration("rooms", url: folder.store(name))
    var sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
    sync.models = models
    configuration.sync = sync
    return try ModelContainer(for: Room.self, Visit.self, configurations: configuration)
  }

  /// Two devices that have a room, and the second a visit to it.
  private func two() async throws -> (first: ModelContainer, second: ModelContainer) {
    let (first, second) = (try container("first"), try container("second"))
    let context = ModelContext(first)
    context.insert(Room("Sea"))
    try context.save()
    for container in [first, second] { try await container.sync?.now() }
    let other = ModelContext(second)
    other.insert(Visit(try #require(other.fetch(FetchDescriptor<Room>()).first)))
    try other.save()
    return (first, second)
  }

  @Test func `a row that another device deletes comes back where one that is not synced must refer to it`()
    async throws
  {
    let (first, second) = try await two()
    let context = ModelContext(first)
    context.delete(try #require(context.fetch(FetchDescriptor<Room>()).first))
    try context.save()
    for container in [first, second, first] { try await container.sync?.now() }
    for container in [first, second] {
      #expect(try ModelContext(container).fetch(FetchDescriptor<Room>()).map(\.name) == ["Sea"])
      #expect(container.sync?.status.phase == .upToDate)
    }
    #expect(try ModelContext(second).fetch(FetchDescriptor<Visit>()).map(\.room.name) == ["Sea"])
  }

  @Test func `what a program leaves out another one on the file shows, whoever of them fetched it`() throws {
    let folder = try Folder()
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let other = try Machine(2, at: folder.store("other"))
    let program = try Machine(1, at: folder.store("shared"))
    let extending = try Machine(1, random: 1, at: folder.store("shared"), unsynced: ["Copy"])
    for machine in [other, extending, program] { try machine.begin(&zone) }
    let book = Book("One")
    let copy = Copy("Mine", of: book)
    for model in [book, copy] as [any PersistentModel] { other.context.insert(model) }
    func fetch() throws -> [String] {
      try other.context.save()
      try other.sync(&zone)
      for machine in [extending, program] {
        try machine.pull(zone)
        #expect(try machine.isDone(zone) && machine.synced.differences(from: zone.digest()) == [])
      }
      return try program.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.shelf)
    }
    #expect(try fetch() == ["Mine"])
    copy.shelf = "Other"
    #expect(try fetch() == ["Other"])
    other.context.delete(copy)
    #expect(try fetch() == [])
  }

  @Test func `rows are removed for another account with those that must refer to them`() async throws {
    let first = try container("first", syncing: [Room.self, Visit.self])
    let context = ModelContext(first)
    context.insert(Visit(Room("Sea")))
    try context.save()
    first.sync?.pause()
    try first.sync?.useAccount(.discard)
    #expect(try context.fetchCount(FetchDescriptor<Room>()) == 0 && context.fetchCount(FetchDescriptor<Visit>()) == 0)
  }

  @Test func `rows that others must refer to are not removed for another account, and the error says whose`()
    async throws
  {
    let (_, second) = try await two()
    let error = #expect(throws: SwiftDataError.self) { try second.sync?.useAccount(.discard) }
    #expect(error == .modelValidationFailure && "\(error as Any)".contains("Visit"))
    #expect(try ModelContext(second).fetchCount(FetchDescriptor<Room>()) == 1)
  }
}
