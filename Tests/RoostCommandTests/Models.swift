import Foundation
import Roost

/// A schema with one of everything that a file remembers.
enum Wide {
  enum State: String, Codable { case open, done }

  struct Place: Codable, Hashable {
    var city: String
    var zip: Int?
  }

  @Model final class Note {
    #Index<Note>([\.date], [\.state, \.minutes])
    #Unique<Note>([\.title, \.date])
    @Attribute(.unique) var key: UUID
    @Attribute(.fullText, originalName: "headline") var title: String
    var date: Date
    var minutes: Int = 0
    var small: UInt8?
    var state: State
    var place: Place?
    var price: Decimal = Decimal(0)
    @Attribute(.externalStorage) var image: Data?
    @Relationship(deleteRule: .cascade, inverse: \Part.note) var parts: [Part]
    var tags: [Tag]
    @Relationship(inverse: nil) var cover: Part?
    var id: UUID = UUID()

    init(_ title: String, image: Data? = nil) {
      (key, self.title, date, state, self.image) = (UUID(), title, Date(timeIntervalSince1970: 0), .open, image)
      place = Place(city: "Rome", zip: 1)
      (parts, tags) = ([], [])
    }
  }

  @Model final class Part {
    var name: String
    var note: Note?
    init(_ name: String) { self.name = name }
  }

  @Model final class Tag {
    #Unique<Tag>([\.place.city])
    var place: Place
    var notes: [Note]
    init(_ city: String) { (place, notes) = (Place(city: city), []) }
  }

  @Model class Vehicle {
    var wheels: Int
    init(wheels: Int) { self.wheels = wheels }
  }

  @Model final class Car: Vehicle {
    @Attribute(.unique) var plate: String
    init(plate: String) {
      self.plate = plate
      super.init(wheels: 4)
    }
  }

  static let models: [any PersistentModel.Type] = [Note.self, Part.self, Tag.self, Vehicle.self, Car.self]
}

enum V1 {
  @Model final class Task {
    var title: String
    var minutes: Int
    var note: String?
    var tags: [Tag]
    init(_ title: String, minutes: Int = 5, note: String? = nil) {
      (self.title, self.minutes, self.note) = (title, minutes, note)
      tags = []
    }
  }

  @Model final class Tag {
    var name: String
    var tasks: [Task]
    init(_ name: String) { (self.name, tasks) = (name, []) }
  }
}

/// What becomes of ``V1`` by itself.
enum Inferred {
  @Model final class Task {
    var title: String
    var minutes: Int
    var note: String?
    var words: Int = 7
    var tags: [Label]
    init() { (title, minutes, tags) = ("", 0, []) }
  }

  @Model(originalName: "Tag") final class Label {
    @Attribute(originalName: "name") var text: String
    var tasks: [Task]
    @Attribute(.unique) var key: UUID = UUID()
    init() { (text, tasks) = ("", []) }
  }

  @Model final class Draft {
    var text: String
    init() { text = "" }
  }
}

/// What does not.
enum Refused {
  @Model final class Task {
    @Attribute(.unique) var title: String
    var minutes: String
    @Attribute(.unique) var number: Int = 1
    var author: String
    init() { (title, minutes, author) = ("", "", "") }
  }
}

/// As ``V1``, without a property.
enum Smaller {
  @Model final class Task {
    var title: String
    var minutes: Int
    var tags: [Tag]
    init() { (title, minutes, tags) = ("", 0, []) }
  }

  @Model final class Tag {
    var name: String
    var tasks: [Task]
    init() { (name, tasks) = ("", []) }
  }
}
