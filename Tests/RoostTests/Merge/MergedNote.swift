import Foundation
import Roost
import Synchronization
import Testing

/// Neither `Codable` nor a value.
final class MergedShade: Equatable {
  let level: Int

  init(_ level: Int) { self.level = level }

  static func == (left: MergedShade, right: MergedShade) -> Bool { left.level == right.level }
}

/// Makes other bytes of the same value each time, as archives do.
enum MergedShades: AttributeTransformer {
  private static let count = Mutex(0)

  static func stored(_ value: MergedShade) -> Data {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return Data("\(value.level) \(number)".utf8)
  }

  static func value(_ stored: Data) throws -> MergedShade {
    MergedShade(try #require(String(decoding: stored, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) }))
  }
}

/// A property of each kind that can be in conflict.
@Model final class MergedNote {
  struct Place: Codable, Equatable {
    var city: String
    var street: String?
  }

  var title: String
  var stars: Int
  var place: Place?
  @Attribute(.transformable(by: MergedShades.self)) var shade: MergedShade?
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
