import Foundation
import Roost

/// As entries were.
enum OldEntries: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Entry.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model final class Entry {
    var title: String
    var number: Int
    var note: String?

    init(title: String, number: Int) { (self.title, self.number) = (title, number) }
  }
}

enum RequiredNotes {
  @Model final class Entry {
    var title: String
    var number: Int
    var note: String = "none"

    init(title: String, number: Int) { (self.title, self.number) = (title, number) }
  }
}

enum TextNumbers: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Entry.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Entry {
    var title: String
    var number: String
    var note: String?

    init(title: String, number: String) { (self.title, self.number) = (title, number) }
  }
}

enum EntriesPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [OldEntries.self, TextNumbers.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: OldEntries.self, to: TextNumbers.self,
      steps: [.transform(\OldEntries.Entry.number, to: \TextNumbers.Entry.number) { String($0) }])
  ]
}

extension MigrateWorkload {
  func roost(in folder: URL) throws -> Round { try roost(in: folder, backups: .none) }

  func roostWithBackup(in folder: URL) throws -> Round { try roost(in: folder, backups: .untilNextOpening) }

  /// `backups`: a copy of the file, which is checked, comes before the migration unless there are none.
  private func roost(in folder: URL, backups: ModelConfiguration.MigrationOptions.Backups) throws -> Round {
    let old = folder.appending(path: "\(rawValue)-roost-\(backups)-old.db")
    try ModelContainer(for: OldEntries.Entry.self, configurations: ModelConfiguration(measured: old)).close()
    try Database(old, tuned: false).execute(Self.insertion)
    return round(from: old) { file in
      var configuration = ModelConfiguration(measured: file)
      configuration.storeOptions.migration.backups = backups
      switch self {
      case .rebuild: try ModelContainer(for: RequiredNotes.Entry.self, configurations: configuration).close()
      case .transform:
        try ModelContainer(
          for: TextNumbers.Entry.self, migrationPlan: EntriesPlan.self, configurations: configuration
        ).close()
      }
    }
  }
}
