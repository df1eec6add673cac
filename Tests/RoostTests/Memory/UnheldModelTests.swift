import Foundation
import Roost
import Testing

@Model private final class Drawer {
  var name: String
  @Relationship(inverse: \Card.drawer) var cards: [Card] = []
  @Relationship(inverse: \Form.drawer) var forms: [Form] = []
  init(name: String) { self.name = name }
}

@Model private final class Card {
  var text: String
  var number: Int
  var drawer: Drawer

  init(text: String, number: Int, drawer: Drawer) {
    self.text = text
    self.number = number
    self.drawer = drawer
  }

  convenience init(_ number: Int, in drawer: Drawer) { self.init(text: "c", number: number, drawer: drawer) }
}

extension Card {
  fileprivate convenience init(in drawer: Drawer, _ number: Int) {
    self.init(text: "e", number: number, drawer: drawer)
  }
}

private struct Stamp: Codable {
  var text = "none"
}

/// A property of each kind, of which the initialiser sets one.
@Model private final class Form {
  var number: Int
  var text: String?
  var date = Date.now
  var stamp = Stamp()
  var stamps: [Stamp]?
  var card: Card?
  var cards: [Card] = []
  var others: [Card]?
  var drawer: Drawer?
  @Attribute(.externalStorage) var data: Data?
  @Attribute(.externalStorage) var image = Data()
  @Attribute(.ephemeral) var isShown = false
  @Attribute(.codable) var opaque: Stamp?
  @Transient var draft: String?

  init(number: Int, drawer: Drawer) {
    self.number = number
    self.drawer = drawer
  }
}

/// Models that nobody but a relationship holds. What the optimiser makes of them shows in optimised builds alone.
@Suite struct UnheldModelTests {
  private let context: ModelContext
  private let drawer = Drawer(name: "A")

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Drawer.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test(arguments: [false, true])
  func `a model whose maker does not keep it is kept by the model that it refers to`(_ isInContext: Bool) throws {
    if isInContext { context.insert(drawer) }
    for number in 0..<100 { _ = Card(text: "c", number: number, drawer: drawer) }
    for number in 100..<200 { _ = Card(number, in: drawer) }
    for number in 200..<300 { _ = Card(in: drawer, number) }
    #expect(drawer.cards.map(\.number).sorted() == Array(0..<300))
    context.insert(drawer)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Card>()) == 300)
  }

  @Test(arguments: [false, true])
  func `properties that an initialiser leaves to their defaults do not keep its model out`(_ isInContext: Bool) throws {
    if isInContext { context.insert(drawer) }
    for number in 0..<3 { _ = Form(number: number, drawer: drawer) }
    #expect(drawer.forms.map(\.number).sorted() == [0, 1, 2])
    context.insert(drawer)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Form>()) == 3)
  }
}
