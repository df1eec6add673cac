import Foundation
import Roost

/// Essays whose words are counted by and by.
enum EssaysV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Essay.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model final class Essay {
    var title: String
    var text: String

    init(title: String, text: String) { (self.title, self.text) = (title, text) }
  }
}

enum EssaysV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Essay.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Essay {
    var title: String
    var text: String
    var words: Int
    var heading: String?

    init(title: String, text: String, words: Int) {
      (self.title, self.text, self.words) = (title, text, words)
    }
  }
}

/// The words are a text.
enum EssaysV3: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Essay.self]
  static let versionIdentifier = Schema.Version(3, 0, 0)

  @Model final class Essay {
    var title: String
    var text: String
    var length: String
    var heading: String?

    init(title: String, text: String, length: String) {
      (self.title, self.text, self.length) = (title, text, length)
    }
  }
}

enum EssaysPlan: SchemaMigrationPlan {
  struct NoWords: Error {}

  static let schemas: [any VersionedSchema.Type] = [EssaysV1.self, EssaysV2.self, EssaysV3.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: EssaysV1.self, to: EssaysV2.self,
      steps: [
        .backfill(\EssaysV2.Essay.words, from: \EssaysV2.Essay.text) { text in
          if text == "refused" { throw NoWords() }
          return text.split(separator: " ").count
        },
        .backfill(\EssaysV2.Essay.heading, from: \EssaysV2.Essay.title, \EssaysV2.Essay.text) { title, text in
          title.isEmpty ? nil : "\(title): \(text.prefix(3))"
        },
      ]),
    .custom(
      from: EssaysV2.self, to: EssaysV3.self,
      steps: [.transform(\EssaysV2.Essay.words, to: \EssaysV3.Essay.length) { "\($0) words" }]),
  ]
}

/// Books, some of which are comics.
enum ComicsV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Book.self, Comic.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model class Book {
    var title: String

    init(title: String) { self.title = title }
  }

  @Model final class Comic: Book {
    var panels: Int

    init(title: String, panels: Int) {
      self.panels = panels
      super.init(title: title)
    }
  }
}

/// Comics have a label.
enum ComicsV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Book.self, Comic.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model class Book {
    var title: String

    init(title: String) { self.title = title }
  }

  @Model final class Comic: Book {
    var panels: Int
    var label: String

    init(title: String, panels: Int, label: String) {
      (self.panels, self.label) = (panels, label)
      super.init(title: title)
    }
  }
}

enum ComicsPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [ComicsV1.self, ComicsV2.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: ComicsV1.self, to: ComicsV2.self,
      steps: [
        .backfill(\ComicsV2.Comic.label, from: \ComicsV2.Comic.title, \ComicsV2.Comic.panels) { "\($0) (\($1))" }
      ])
  ]
}
