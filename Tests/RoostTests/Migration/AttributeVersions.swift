import Foundation
import Roost

/// Versions of the same models.
enum Versions {
  enum Original {
    @Model final class Note {
      var title: String
      var stars: Int
      var body: String?

      init(title: String, stars: Int, body: String?) { (self.title, self.stars, self.body) = (title, stars, body) }
    }
  }

  enum Added {
    @Model final class Note {
      var isOpen = true
      var title: String
      var stars: Int
      var body: String?
      var language: String = "en"
      var due: Date?
      var token = UUID()
      var tags: [String] = ["new"]

      init(title: String, stars: Int) { (self.title, self.stars) = (title, stars) }
    }
  }

  enum Extended {
    @Model final class Note {
      #Index<Note>([\.stars])
      var title: String
      var stars: Int
      var body: String?
      var language: String = "en"
      var due: Date?

      init(title: String, stars: Int) { (self.title, self.stars) = (title, stars) }
    }
  }

  enum Indexed {
    @Model final class Note {
      #Index<Note>([\.title])
      var title: String
      var stars: Int
      var body: String?

      init(title: String, stars: Int) { (self.title, self.stars) = (title, stars) }
    }
  }

  enum Renamed {
    @Model(originalName: "Note") final class Memo {
      @Attribute(originalName: "title") var headline: String
      @Attribute(originalName: "stars") var rating: Int
      var body: String?

      init(headline: String, rating: Int) { (self.headline, self.rating) = (headline, rating) }
    }
  }

  enum Succeeded {
    @Model final class Note {
      var word: String

      init(word: String) { self.word = word }
    }

    @Model(originalName: "Note") final class Memo {
      var title: String
      var stars: Int
      var body: String?
      @Relationship(inverse: nil) var note: Note?

      init(title: String, stars: Int) { (self.title, self.stars) = (title, stars) }
    }
  }

  enum Reused {
    @Model(originalName: "Note") final class Memo {
      @Attribute(originalName: "title") var headline: String
      var title: String = "new"
      @Attribute(originalName: "stars") var rating: Int
      var body: String?

      init(headline: String, rating: Int) { (self.headline, self.rating) = (headline, rating) }
    }

    @Model final class Note {
      var title: String

      init(title: String) { self.title = title }
    }
  }

  enum Shifted {
    @Model final class Name {
      var first: String = "none"
      @Attribute(originalName: "first") var last: String
      @Attribute(originalName: "last") var family: String

      init(last: String, family: String) { (self.last, self.family) = (last, family) }
    }
  }

  enum Required {
    @Model final class Note {
      var title: String
      var stars: Int
      var body: String = "none"

      init(title: String, stars: Int) { (self.title, self.stars) = (title, stars) }
    }
  }

  enum Demanding {
    @Model final class Note {
      var title: String
      var stars: Int
      var body: String

      init(title: String, stars: Int, body: String) { (self.title, self.stars, self.body) = (title, stars, body) }
    }
  }

  enum Retyped {
    @Model final class Note {
      var title: String
      var stars: String
      var body: String?

      init(title: String, stars: String) { (self.title, self.stars) = (title, stars) }
    }
  }

  enum Reduced {
    @Model final class Note {
      var title: String
      var stars: Int

      init(title: String, stars: Int) { (self.title, self.stars) = (title, stars) }
    }
  }

  enum Pair {
    @Model final class Name {
      var first: String
      var last: String

      init(first: String, last: String) { (self.first, self.last) = (first, last) }
    }
  }

  enum Exchanged {
    @Model final class Name {
      @Attribute(originalName: "last") var first: String
      @Attribute(originalName: "first") var last: String

      init(first: String, last: String) { (self.first, self.last) = (first, last) }
    }
  }

  enum Twins {
    @Model final class Left {
      var text: String

      init(text: String) { self.text = text }
    }

    @Model final class Right {
      var text: String

      init(text: String) { self.text = text }
    }
  }

  enum Crossed {
    @Model(originalName: "Right") final class Left {
      var text: String

      init(text: String) { self.text = text }
    }

    @Model(originalName: "Left") final class Right {
      var text: String

      init(text: String) { self.text = text }
    }
  }

  enum Forgotten {
    @Model final class Name {
      var first: String
      var family: String = ""

      init(first: String, family: String) { (self.first, self.family) = (first, family) }
    }
  }

  enum Unique {
    @Model final class Name {
      var first: String
      @Attribute(.unique) var last: String

      init(first: String, last: String) { (self.first, self.last) = (first, last) }
    }
  }

  /// Another name for what was not unique, and something that is the same in all rows.
  enum UniqueRenamed {
    @Model(originalName: "Name") final class Title {
      var first: String
      @Attribute(.unique, originalName: "last") var family: String
      @Attribute(.unique) var code: String = "none"

      init(first: String, family: String) { (self.first, self.family) = (first, family) }
    }
  }

  enum Level: Int, Codable { case low = 1, high }

  enum Narrow {
    @Model final class Gauge {
      var byte: Int8
      var word: Int32
      var small: UInt8
      var ratio: Float
      var kind: Level

      init(byte: Int8, word: Int32, small: UInt8, ratio: Float, kind: Level) {
        (self.byte, self.word, self.small, self.ratio, self.kind) = (byte, word, small, ratio, kind)
      }
    }
  }

  enum Wide {
    @Model final class Gauge {
      var byte: Int
      var word: Double
      var small: Int16
      var ratio: Double
      var kind: Int

      init(byte: Int, word: Double, small: Int16, ratio: Double, kind: Int) {
        (self.byte, self.word, self.small, self.ratio, self.kind) = (byte, word, small, ratio, kind)
      }
    }
  }

  enum Inline {
    @Model final class Photo {
      var bytes: Data
      var caption: String

      init(bytes: Data, caption: String) { (self.bytes, self.caption) = (bytes, caption) }
    }
  }

  enum Outside {
    @Model final class Photo {
      @Attribute(.externalStorage) var bytes: Data
      var caption: String

      init(bytes: Data, caption: String) { (self.bytes, self.caption) = (bytes, caption) }
    }
  }
}

/// Names whose last ones may be the same.
enum NamesV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Versions.Pair.Name.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)
}

/// Names whose last ones differ.
enum NamesV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Versions.Unique.Name.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)
}
