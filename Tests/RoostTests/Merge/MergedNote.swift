import Foundation
import Roost
import Testing

/// A property of each kind that can be in conflict.
@Model final class MergedNote {
  struct Place: Codable, Equatable { var city: String }

  var title: String
  var stars: Int
  var place: Place?
  @Attribute(.externalStorage) var picture: Data?
  var words: Set<String> = []
  var folder: MergedFolder?
  @Relationship(inverse: \MergedTag.notes) var tags: [MergedTag] = []

  init(title: String = "", stars: Int = 0) {
    self.title = title
    self.stars = stars
  }
}

@Model final class MergedFolder {
  var name: String
  @Relationship(inverse: \MergedNote.folder) var notes: [MergedNote] = []

  init(name: String) { self.name = name }
}

@Model final class MergedTag {
  var name: String
  var notes: [MergedNote] = []

  init(name: String) { self.name = name }
}

/// Two contexts of one container, and the same note in either.
struct MergeScene {
  let folder: TemporaryFolder
  let container: ModelContainer
  let context: ModelContext
  let other: ModelContext
  let note: MergedNote
  let same: MergedNote

  init(_ policy: ModelContext.MergePolicy = .ownChangesWin) throws {
    folder = try TemporaryFolder()
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.externalStorageThreshold = 16
    container = try ModelContainer(for: MergedNote.self, configurations: configuration)
    (context, other) = (ModelContext(container), ModelContext(container))
    context.mergePolicy = policy
    let note = MergedNote(title: "A", stars: 1)
    context.insert(note)
    try context.save()
    self.note = note
    same = try #require(other.model(for: note.persistentModelID) as? MergedNote)
    _ = same.title
  }

  /// What the store has.
  func stored() throws -> MergedNote {
    try #require(try ModelContext(container).fetch(FetchDescriptor<MergedNote>()).first)
  }
}
