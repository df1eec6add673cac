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

/// The class has another name.
enum SongsV3: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Track.self]
  static let versionIdentifier = Schema.Version(3, 0, 0)

  @Model(originalName: "Song") final class Track {
    var name: String
    /// It may be missing, so that the table is made anew.
    var length: Int?

    init(name: String) { self.name = name }
  }
}

/// The properties have exchanged their names.
enum SongsV4: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Song.self]
  static let versionIdentifier = Schema.Version(4, 0, 0)

  @Model final class Song {
    @Attribute(originalName: "length") var title: Int = 0
    @Attribute(originalName: "title") var length: String

    init(length: String) { self.length = length }
  }
}

/// A new property has the former name of another.
enum SongsV5: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Song.self]
  static let versionIdentifier = Schema.Version(5, 0, 0)

  @Model final class Song {
    @Attribute(originalName: "title") var name: String
    var title = "new"
    var length = 0

    init(name: String) { self.name = name }
  }
}

/// A model that goes, whose name another one gets as something new comes.
enum Discs {
  enum First {
    @Model final class Disc {
      var title: String

      init(title: String) { self.title = title }
    }

    @Model final class Sleeve {
      var color: String

      init(color: String) { self.color = color }
    }
  }

  enum Bare {
    @Model final class Disc {
      var title: String

      init(title: String) { self.title = title }
    }
  }

  enum Renamed {
    @Model(originalName: "Disc") final class Sleeve {
      var title: String

      init(title: String) { self.title = title }
    }

    @Model final class Label {
      var name: String

      init(name: String) { self.name = name }
    }
  }
}

/// A property that goes before the class gets a superclass.
enum Pets {
  enum First {
    @Model final class Dog {
      var name: String
      var tag: String?

      init(name: String) { self.name = name }
    }
  }

  enum Bare {
    @Model final class Dog {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum Below {
    @Model class Animal {
      var age = 0

      init() {}
    }

    @Model final class Dog: Animal {
      var name: String

      init(name: String) {
        self.name = name
        super.init()
      }
    }
  }
}

enum FirstSongs: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [SongsV1.self]
  static let stages: [MigrationStage] = []
}

/// A stage whose code changes all rows.
enum AllSongs: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [SongsV1.self, SongsV2.self]
  static let stages: [MigrationStage] = [
    .custom(
      fromVersion: SongsV1.self, toVersion: SongsV2.self, willMigrate: nil,
      didMigrate: { context in
        for song in try context.fetch(FetchDescriptor<SongsV2.Song>()) { song.length = 7 }
      })
  ]
}
