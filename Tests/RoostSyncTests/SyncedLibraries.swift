import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncServer
import SyncSimulation
import Testing

/// Containers that are synced by themselves, with a server in the same process.
struct SyncedLibraries {
  let folder: Folder
  let server: SyncServer
  /// What the program makes of two notes of a topic.
  private let merge: @Sendable (SyncVersions<String>) -> String

  init(merging merge: @escaping @Sendable (SyncVersions<String>) -> String) throws {
    folder = try Folder()
    server = try SyncServer(data: folder.url.appendingPathComponent("server"))
    self.merge = merge
  }

  func container(_ name: String, user: String = "ann") throws -> ModelContainer {
    try container(name) { [server] in server.service(for: user) }
  }

  func container(_ name: String, _ service: @escaping @Sendable () -> any SyncService) throws -> ModelContainer {
    var configuration = ModelConfiguration("library", url: folder.store(name))
    var sync = SyncConfiguration(identity: "test", service: service)
    // The one that is given later counts.
    sync.merge(\Topic.notes) { _ in "another" }
    sync.merge(\Topic.notes, by: merge)
    configuration.sync = sync
    return try ModelContainer(for: Author.self, Topic.self, configurations: configuration)
  }

  /// Has two containers edit one book, neither knowing of the other; the second one's edit is at the server.
  func editApart() async throws -> (first: ModelContainer, second: ModelContainer) {
    let (first, second) = (try container("first"), try container("second"))
    let (context, other) = (ModelContext(first), ModelContext(second))
    context.insert(Book("One"))
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.sync?.pause()
    try #require(context.fetch(FetchDescriptor<Book>()).first).title = "Mine"
    try context.save()
    try #require(other.fetch(FetchDescriptor<Book>()).first).title = "Theirs"
    try other.save()
    try await second.sync?.now()
    return (first, second)
  }
}
