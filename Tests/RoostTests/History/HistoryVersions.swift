import Foundation
import Roost

enum SongsV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Song.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model final class Song {
    var title: String
    var length = 0

    init(title: String) { self.title = title }
  }
}

enum SongsV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Song.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Song {
    @Attribute(originalName: "title") var name: String
    var length = 0

    init(name: String) { self.name = name }
  }
}
