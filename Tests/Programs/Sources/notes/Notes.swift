import Foundation
import SwiftData

@Model final class Note {
  var text: String

  init(text: String) { self.text = text }
}

enum NotesVersion1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }
}

enum NotesPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [NotesVersion1.self] }
  static var stages: [MigrationStage] { [] }
}

/// Opens the default store in one of the ways that name no url, adds a note, and prints the file and its notes' number.
@main struct Notes {
  @MainActor static func main() throws {
    let form = CommandLine.arguments.dropFirst().first
    if form == "where" { return print(ModelConfiguration().url.path) }
    let container = try container(form)
    container.mainContext.insert(Note(text: "A note"))
    try container.mainContext.save()
    print(container.configurations.first?.url.path ?? "nowhere")
    print(try container.mainContext.fetchCount(FetchDescriptor<Note>()))
  }

  /// What guides to SwiftData take where they name a url, without making it.
  static var dataFolder: URL { FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0] }

  static func container(_ form: String?) throws -> ModelContainer {
    switch form {
    case "schema": try ModelContainer(for: Schema([Note.self]))
    case "versioned": try ModelContainer(for: Schema(versionedSchema: NotesVersion1.self))
    case "plan": try ModelContainer(for: Note.self, migrationPlan: NotesPlan.self)
    case "list": try ModelContainer(for: Schema([Note.self]), configurations: [])
    case "configuration": try ModelContainer(for: Note.self, configurations: ModelConfiguration())
    case "types": try ModelContainer(for: Note.self, configurations: ModelConfiguration(for: Note.self))
    case "group":
      try ModelContainer(
        for: Note.self, configurations: ModelConfiguration(groupContainer: .identifier("group.notes")))
    case "named": try ModelContainer(for: Note.self, configurations: ModelConfiguration("Other"))
    case "beside":
      try ModelContainer(for: Note.self, configurations: ModelConfiguration(url: dataFolder.appending(path: "a.store")))
    case "read-only": try ModelContainer(for: Note.self, configurations: ModelConfiguration(allowsSave: false))
    default: try ModelContainer(for: Note.self)
    }
  }
}
