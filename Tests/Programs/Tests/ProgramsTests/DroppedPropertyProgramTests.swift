import Foundation
import SwiftData
import Testing

/// A program that has a property and a model less than its store, and no plan.
@Suite struct DroppedPropertyProgramTests {
  private let folder: URL
  private let configuration: ModelConfiguration

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    configuration = ModelConfiguration(url: folder.appendingPathComponent("notes.store"))
    let container = try ModelContainer(
      for: DroppedBefore.DroppedNote.self, DroppedBefore.DroppedDraft.self, configurations: configuration)
    let context = ModelContext(container)
    context.insert(DroppedBefore.DroppedNote(title: "a", stars: 5))
    context.insert(DroppedBefore.DroppedDraft(words: 3))
    try context.save()
  }

  @Test func `what is gone is dropped, and the rest is there`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for _ in 1...2 {
      let container = try ModelContainer(for: DroppedAfter.DroppedNote.self, configurations: configuration)
      #expect(try ModelContext(container).fetch(FetchDescriptor<DroppedAfter.DroppedNote>()).map(\.title) == ["a"])
    }
    // The backup stays.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasPrefix("notes.store.backup-") }.count == 1)
  }

  @Test func `what looks renamed is not dropped`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(for: DroppedRenamed.DroppedNote.self, configurations: configuration)
    }
    let container = try ModelContainer(
      for: DroppedBefore.DroppedNote.self, DroppedBefore.DroppedDraft.self, configurations: configuration)
    #expect(try ModelContext(container).fetch(FetchDescriptor<DroppedBefore.DroppedNote>()).map(\.stars) == [5])
  }

  @Test func `an older program does not drop what a newer one has added`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      let container = try ModelContainer(
        for: DroppedMore.DroppedNote.self, DroppedMore.DroppedDraft.self, configurations: configuration)
      let context = ModelContext(container)
      for note in try context.fetch(FetchDescriptor<DroppedMore.DroppedNote>()) { note.place = "Oslo" }
      try context.save()
    }
    #expect(throws: SwiftDataError.backwardMigration) {
      try ModelContainer(
        for: DroppedBefore.DroppedNote.self, DroppedBefore.DroppedDraft.self, configurations: configuration)
    }
  }
}

enum DroppedBefore {
  @Model final class DroppedNote {
    var title: String
    var stars: Int

    init(title: String, stars: Int) {
      self.title = title
      self.stars = stars
    }
  }

  @Model final class DroppedDraft {
    var words: Int

    init(words: Int) { self.words = words }
  }
}

enum DroppedAfter {
  @Model final class DroppedNote {
    var title: String

    init(title: String) { self.title = title }
  }
}

enum DroppedRenamed {
  @Model final class DroppedNote {
    var title: String
    var rating: Int = 0

    init(title: String) { self.title = title }
  }
}

enum DroppedMore {
  @Model final class DroppedNote {
    var title: String
    var stars: Int
    var place: String?

    init(title: String, stars: Int) {
      self.title = title
      self.stars = stars
    }
  }

  @Model final class DroppedDraft {
    var words: Int

    init(words: Int) { self.words = words }
  }
}
