import Foundation
import Roost
import RoostEngine
import RoostMigration
import Testing

@Model private final class Crate {
  var name = "crate"

  init() {}
}

/// What a file's first bytes say of who made it.
@Suite struct StoreMarkTests {
  @Test func `a store's header says that it is one, as does a copy's, and another database's does not`() throws {
    // All of an encrypted file is encrypted.
    try DatabaseKey.$hasPlainFiles.withValue(true) {
      let folder = try TemporaryFolder()
      let other = folder.url.appending(path: "other.sqlite")
      let connection = try Connection(ConnectionOptions(location: .file(path: other.path)))
      try connection.execute("CREATE TABLE crate (name)")
      connection.close()
      #expect(try !FileHeader(of: other).isMarkedAsStore)

      let container = try ModelContainer(for: Crate.self, configurations: ModelConfiguration(url: folder.store))
      let copy = folder.url.appending(path: "copy.store")
      try container.backup(to: copy)
      try container.close()
      #expect(try FileHeader(of: folder.store).isMarkedAsStore)
      #expect(try FileHeader(of: copy).isMarkedAsStore)
    }
  }
}
