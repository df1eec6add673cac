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
