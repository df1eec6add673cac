import Foundation
import Roost
import Testing

/// Classes that leave an inheritance chain, or change their place in one.
@Suite struct ZooTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeZoo() throws {
    try store.open(Zoos.First.Dog.self, Zoos.First.Bird.self) { context in
      context.insert(Zoos.First.Animal(name: "Ant"))
      let dog = Zoos.First.Dog(name: "Rex")
      context.insert(dog)
      (dog.legs, dog.breed) = (4, "Pug")
    }
  }

  private func names(_ obstacles: [MigrationObstacle]) -> Set<String> {
    Set(obstacles.map { "\($0.model).\($0.property ?? "")" })
  }

  @Test func `what rows have of a class that is gone goes with a warning`() throws {
    try makeZoo()
    #expect(try names(store.obstacles(Zoos.Bare.Dog.self, drops: .refuse)) == ["Mammal.legs"])
    try store.checkFile(Zoos.First.Dog.self, Zoos.First.Bird.self)
    try store.open(Zoos.Bare.Dog.self) { context in
      try #expect(context.fetch(FetchDescriptor<Zoos.Bare.Dog>()).map(\.breed) == ["Pug"])
    }
    try store.checkFile(Zoos.Bare.Dog.self)
    try store.checkDropped(["Mammal.legs 1"])
  }

  @Test func `what rows have of a class that is gone may move up`() throws {
    try makeZoo()
    try store.open(Zoos.Flat.Dog.self) { context in
      let animals = try context.fetch(FetchDescriptor<Zoos.Flat.Animal>(sortBy: [SortDescriptor(\.name)]))
      #expect(animals.map(\.name) == ["Ant", "Rex"] && animals.map(\.legs) == [nil, 4])
    }
    try store.checkFile(Zoos.Flat.Dog.self)
    #expect(CapturedLog.lines(about: store.url).isEmpty)
  }
}
