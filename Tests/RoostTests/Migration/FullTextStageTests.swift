import Foundation
import Roost
import Testing

/// Notes that get a full-text index, and then a property.
private enum Texts {
  enum V1: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Note.self]
    static let versionIdentifier = Schema.Version(1, 0, 0)

    @Model final class Note {
      var text: String

      init(text: String) { self.text = text }
    }
  }

  enum V2: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Note.self]
    static let versionIdentifier = Schema.Version(2, 0, 0)

    @Model final class Note {
      #FullText<Note>([\.text])
      #Index<Note>([\.text])
      var text: String

      init(text: String) { self.text = text }
    }
  }

  enum V3: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Note.self]
    static let versionIdentifier = Schema.Version(3, 0, 0)

    @Model final class Note {
      #FullText<Note>([\.text])
      var text: String
      var stars = 1

      init(text: String) { self.text = text }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [V1.self, V2.self, V3.self]
    static let stages: [MigrationStage] = [
      .lightweight(fromVersion: V1.self, toVersion: V2.self), .lightweight(fromVersion: V2.self, toVersion: V3.self),
    ]
  }
}

@Suite struct FullTextStageTests {
  @Test func `a stage follows one that made a full-text index`() throws {
    let store = try Migrated()
    try store.open(Texts.V1.Note.self) { $0.insert(Texts.V1.Note(text: "Swimming birds")) }
    try store.open(Texts.V3.Note.self, plan: Texts.Plan.self) { context in
      let found = try context.fetch(FetchDescriptor<Texts.V3.Note>(predicate: #Predicate { $0.text.matches("birds") }))
      #expect(found.map(\.stars) == [1])
    }
    try store.checkFile(Texts.V3.Note.self)
  }
}
