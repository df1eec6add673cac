import Roost
import Testing

@Model private final class Drawer {
  var name: String
  @Relationship(inverse: \Card.drawer) var cards: [Card] = []
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
}

/// Models that nobody but a relationship holds. What the optimiser makes of them shows in optimised builds alone.
@Suite struct UnheldModelTests {
  @Test(arguments: [false, true])
  func `a model whose maker does not keep it is kept by the model that it refers to`(_ isInContext: Bool) throws {
    let context = ModelContext(
      try ModelContainer(for: Drawer.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let drawer = Drawer(name: "A")
    if isInContext { context.insert(drawer) }
    for number in 0..<100 { _ = Card(text: "c", number: number, drawer: drawer) }
    #expect(drawer.cards.map(\.number).sorted() == Array(0..<100))
    context.insert(drawer)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Card>()) == 100)
  }
}
