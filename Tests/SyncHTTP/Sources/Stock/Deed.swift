/// What a client does to the stock.
package enum Deed: Codable, Hashable, Sendable {
  /// A field of an item whose last value stays.
  package enum Field: String, Codable, CaseIterable, Sendable { case title, label, shelf }

  /// Makes a shelf, or has the one of the name be elsewhere.
  case shelf(String, place: String)
  case deleteShelf(String)
  case item(String)
  case deleteItem(String)
  /// Writes a field of an item; no value is no shelf.
  case write(Field, of: String, String?)
  case count(String, Int)
  case part(String, of: String)
  case deletePart(String)
}

/// A save, before and after.
package struct Save: Codable, Sendable {
  package enum State: String, Codable, Sendable { case begun, done, failed }

  /// Counts the saves of one store.
  package var number: Int
  package var state: State
  package var deeds: [Deed]

  package init(number: Int, state: State, deeds: [Deed]) {
    (self.number, self.state, self.deeds) = (number, state, deeds)
  }
}
