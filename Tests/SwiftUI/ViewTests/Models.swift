import Foundation
import SwiftData

@Model final class Note {
  var title: String
  var stars: Int
  var topic: String
  var place: String?
  var rank: Int?

  init(_ title: String, stars: Int = 0, topic: String = "", place: String? = nil) {
    self.title = title
    self.stars = stars
    self.topic = topic
    self.place = place
    rank = stars
  }
}

/// A container in memory with two notes, written to by a context of its own.
@MainActor struct Notes {
  let container: ModelContainer
  let writer: ModelContext

  init() throws {
    container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    writer = ModelContext(container)
    writer.insert(Note("Swifts", stars: 2, topic: "birds", place: "Rome"))
    writer.insert(Note("Ants", stars: 1, topic: "insects"))
    try writer.save()
  }
}

@Model final class Tag {
  var name: String
  init(name: String) { self.name = name }
}

/// A model of which no schema can be made: its relationship's inverse is not one.
@Model final class Left {
  @Relationship(inverse: \Right.name) var right: Right?
  init() {}
}

@Model final class Right {
  var name = ""
  init() {}
}
