package import Roost

/// Where items are: one of each name.
@Model package final class Shelf {
  @Attribute(.unique) package var name: String
  package var place: String
  package var items: [Item] = []

  package init(_ name: String, place: String) { (self.name, self.place) = (name, place) }
}

/// What there is of a thing.
@Model package final class Item {
  /// Which item it is on all devices.
  package var code: String
  package var title: String
  package var label = ""
  @Attribute(.merge(.counter)) package var count = 0
  @Relationship(inverse: \Shelf.items) package var shelf: Shelf?
  @Relationship(deleteRule: .cascade, inverse: \Part.item) package var parts: [Part] = []

  package init(_ code: String, title: String, on shelf: Shelf?) {
    (self.code, self.title, self.shelf) = (code, title, shelf)
  }
}

/// What goes with its item.
@Model package final class Part {
  package var code: String
  package var item: Item

  package init(_ code: String, of item: Item) { (self.code, self.item) = (code, item) }
}

/// All models.
package let stockModels: [any PersistentModel.Type] = [Shelf.self, Item.self, Part.self]
