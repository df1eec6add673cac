package import Roost

/// The models of the program after that: a property is renamed once more, a new one has the name that it
/// had, and what was not synced is.
package enum LibraryV3: VersionedSchema {
  package static let versionIdentifier = Schema.Version(3, 0, 0)
  package static let models: [any PersistentModel.Type] =
    LibraryV2.models.filter { $0 != LibraryV2.Note.self && $0 != LibraryV2.Card.self } + [Note.self, Card.self]

  /// Two of one name and number are the same one.
  @Model package final class Note {
    #Unique<Note>([\.caption, \.number])
    @Attribute(originalName: "heading") package var caption: String
    package var number: Int
    @Attribute(.merge(.counter)) package var count = 0
    package var title: String?
    package var heading: String?

    package init(_ caption: String, _ number: Int) { (self.caption, self.number) = (caption, number) }
  }

  /// All of which is synced again.
  @Model package final class Card {
    package var name: String
    package var text: String?
    @Attribute(.merge(.counter)) package var visits = 0

    package init(_ name: String) { self.name = name }
  }
}
