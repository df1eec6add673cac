import Foundation
import Roost

/// A diary, and what became of it.
enum Diaries {
  enum Full {
    @Model final class Entry {
      var text: String
      var mood: Int?
      var photo: Data?
      @Relationship(inverse: \Place.entries) var place: Place?

      init(text: String, mood: Int?, photo: Data? = nil) { (self.text, self.mood, self.photo) = (text, mood, photo) }
    }

    @Model final class Place {
      @Attribute(.unique) var name: String
      var entries: [Entry] = []

      init(name: String) { self.name = name }
    }

    @Model final class Draft {
      var words: [String]

      init(words: [String]) { self.words = words }
    }
  }

  /// Without moods and drafts.
  enum Lean {
    @Model final class Entry {
      var text: String
      var photo: Data?
      @Relationship(inverse: \Place.entries) var place: Place?

      init(text: String) { self.text = text }
    }

    @Model final class Place {
      @Attribute(.unique) var name: String
      var entries: [Entry] = []

      init(name: String) { self.name = name }
    }
  }

  /// Without places, too.
  enum Bare {
    @Model final class Entry {
      var text: String
      var photo: Data?

      init(text: String) { self.text = text }
    }
  }

  /// Drafts, it seems, have another name.
  enum Similar {
    @Model final class Entry {
      var text: String
      var photo: Data?
      @Relationship(inverse: \Place.entries) var place: Place?

      init(text: String) { self.text = text }
    }

    @Model final class Place {
      @Attribute(.unique) var name: String
      var entries: [Entry] = []

      init(name: String) { self.name = name }
    }

    @Model final class Sketch {
      var words: [String]

      init(words: [String]) { self.words = words }
    }
  }
}

/// A note that is in the class of all, in two below, or in one.
enum Moved {
  enum Above {
    @Model class Item {
      var title: String
      var note: String?
      var owner: Owner?

      init(title: String) { self.title = title }
    }

    @Model final class Book: Item {
      var pages: Int

      init(title: String, pages: Int) {
        self.pages = pages
        super.init(title: title)
      }
    }

    @Model final class Film: Item {
      var minutes: Int

      init(title: String, minutes: Int) {
        self.minutes = minutes
        super.init(title: title)
      }
    }

    @Model final class Owner {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum Below {
    @Model class Item {
      var title: String

      init(title: String) { self.title = title }
    }

    @Model final class Book: Item {
      var pages: Int
      var note: String?
      var owner: Owner?

      init(title: String, pages: Int) {
        self.pages = pages
        super.init(title: title)
      }
    }

    @Model final class Film: Item {
      var minutes: Int
      var note: String?

      init(title: String, minutes: Int) {
        self.minutes = minutes
        super.init(title: title)
      }
    }

    @Model final class Owner {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  /// Books alone, without a superclass.
  enum Alone {
    @Model final class Book {
      var title: String
      var note: String?
      var pages: Int

      init(title: String, pages: Int) { (self.title, self.pages) = (title, pages) }
    }
  }

  /// As ``Above``, where all must have a note.
  enum Demanding {
    @Model class Item {
      var title: String
      var note: String
      var owner: Owner?

      init(title: String, note: String) { (self.title, self.note) = (title, note) }
    }

    @Model final class Book: Item {
      var pages: Int

      init(title: String, note: String, pages: Int) {
        self.pages = pages
        super.init(title: title, note: note)
      }
    }

    @Model final class Film: Item {
      var minutes: Int

      init(title: String, note: String, minutes: Int) {
        self.minutes = minutes
        super.init(title: title, note: note)
      }
    }

    @Model final class Owner {
      var name: String

      init(name: String) { self.name = name }
    }
  }
}
