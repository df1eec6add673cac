import Foundation
import Roost

/// Letters of a program that adds what they must have.
enum LettersV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Letter.self, Parcel.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model class Letter {
    var text: String
    var stamp: Int?

    init(text: String) { self.text = text }
  }

  @Model final class Parcel: Letter {
    var weight: Double

    init(text: String, weight: Double) {
      self.weight = weight
      super.init(text: text)
    }
  }
}

/// A number, a code that differs, a sender and, of parcels, a size are required.
enum LettersV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Letter.self, Parcel.self, Sender.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model class Letter {
    var text: String
    var stamp: Int
    var words: Int
    @Attribute(.unique) var code: String
    var sent: Date
    var sender: Sender

    init(text: String, code: String, sender: Sender) {
      (self.text, self.stamp, self.words, self.code, self.sender) = (text, 1, 0, code, sender)
      sent = Date(timeIntervalSinceReferenceDate: 0)
    }
  }

  @Model final class Parcel: Letter {
    var weight: Double
    var size: String

    override init(text: String, code: String, sender: Sender) {
      (weight, size) = (1, "S")
      super.init(text: text, code: code, sender: sender)
    }
  }

  @Model final class Sender {
    var name: String
    @Relationship(inverse: \Letter.sender) var letters: [Letter] = []

    init(name: String) { self.name = name }
  }
}

/// What the code of the stage from ``LettersV1`` to ``LettersV2`` does.
enum LettersCode {
  /// Sets all that is required, but of letters with some texts.
  static func fill(_ context: ModelContext, but left: Set<String> = []) throws {
    let sender = LettersV2.Sender(name: "Ada")
    context.insert(sender)
    for letter in try context.fetch(FetchDescriptor<LettersV2.Letter>()) where !left.contains(letter.text) {
      set(letter, sender)
    }
  }

  static func set(_ letter: LettersV2.Letter, _ sender: LettersV2.Sender) {
    letter.stamp = 5
    letter.words = letter.text.split(separator: " ").count
    letter.code = "code of \(letter.text)"
    letter.sent = Date(timeIntervalSinceReferenceDate: 7)
    letter.sender = sender
    (letter as? LettersV2.Parcel)?.size = "L"
  }
}

/// The same versions with other code.
protocol LettersPlan: SchemaMigrationPlan {}

extension LettersPlan {
  static var schemas: [any VersionedSchema.Type] { [LettersV1.self, LettersV2.self] }

  static func stage(_ didMigrate: @escaping @Sendable (ModelContext) throws -> Void) -> [MigrationStage] {
    [.custom(fromVersion: LettersV1.self, toVersion: LettersV2.self, willMigrate: nil, didMigrate: didMigrate)]
  }
}
