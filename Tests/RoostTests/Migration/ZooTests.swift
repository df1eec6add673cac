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

  @Test func `a class that moves below another lacks what that requires, and loses what it inherited`() throws {
    try makeZoo()
    let obstacles = try store.obstacles(Zoos.Winged.Dog.self, Zoos.Winged.Mammal.self)
    #expect(names(obstacles) == ["Bird.wings", "Mammal.legs"] && obstacles.allSatisfy { $0.rowCount == 1 })
    #expect(obstacles.contains { $0.message == "Rows of classes that have left Mammal have values." })
    try store.checkFile(Zoos.First.Dog.self, Zoos.First.Bird.self)
  }

  @Test func `a class that moves below another gets its defaults, and takes along what it declares itself`() throws {
    try makeZoo()
    try store.open(Zoos.Griffin.Dog.self, Zoos.Griffin.Mammal.self) { context in
      let dog = try #require(try context.fetch(FetchDescriptor<Zoos.Griffin.Dog>()).first)
      #expect(dog.name == "Rex" && dog.wings == 2 && dog.legs == 4 && dog.breed == "Pug")
      try #expect(context.fetchCount(FetchDescriptor<Zoos.Griffin.Animal>()) == 2)
    }
    try store.checkFile(Zoos.Griffin.Dog.self, Zoos.Griffin.Mammal.self)
    #expect(try store.strings("SELECT count(legs) FROM Animal") == ["0"])
  }

  @Test func `a step computes a property of a subclass in its own rows alone`() throws {
    enum Old: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Zoos.First.Dog.self, Zoos.First.Bird.self]
      static let versionIdentifier = Schema.Version(1, 0, 0)
    }
    enum New: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Zoos.Told.Dog.self, Zoos.Told.Bird.self]
      static let versionIdentifier = Schema.Version(2, 0, 0)
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [Old.self, New.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: Old.self, to: New.self,
          steps: [.transform(\Zoos.First.Bird.wings, to: \Zoos.Told.Bird.span) { "\($0) wings" }])
      ]
    }
    try makeZoo()
    try store.open(Zoos.First.Dog.self, Zoos.First.Bird.self) { context in
      context.insert(Zoos.First.Bird(name: "Owl", wings: 2))
    }
    try store.open(Zoos.Told.Dog.self, Zoos.Told.Bird.self, plan: Plan.self) { context in
      try #expect(context.fetch(FetchDescriptor<Zoos.Told.Bird>()).map(\.span) == ["2 wings"])
      try #expect(context.fetchCount(FetchDescriptor<Zoos.Told.Animal>()) == 3)
    }
    try store.checkFile(Zoos.Told.Dog.self, Zoos.Told.Bird.self)
    #expect(try store.strings("SELECT count(span) FROM Animal") == ["1"])
  }

  @Test func `a class gets a table of its own where there are no rows`() throws {
    try store.open(Zoos.First.Dog.self, Zoos.First.Bird.self) { _ in }
    try store.open(Zoos.Apart.Animal.self, Zoos.Apart.Bird.self) { context in
      context.insert(Zoos.Apart.Bird(name: "Owl", wings: 2))
    }
    try store.checkFile(Zoos.Apart.Animal.self, Zoos.Apart.Bird.self)
  }

  @Test func `what is new in a subclass is nothing to rows of other classes, nor to those to come`() throws {
    try makeZoo()
    try store.open(Zoos.First.Dog.self, Zoos.First.Bird.self) { context in
      context.insert(Zoos.First.Bird(name: "Owl", wings: 2))
    }
    for _ in 1...2 {
      try store.open(Zoos.Ringed.Dog.self, Zoos.Ringed.Bird.self) { context in
        try #expect(context.fetch(FetchDescriptor<Zoos.Ringed.Bird>()).map(\.ring) == ["none"])
        context.insert(Zoos.Ringed.Animal(name: "Bee"))
      }
    }
    try store.checkFile(Zoos.Ringed.Dog.self, Zoos.Ringed.Bird.self)
    #expect(try store.strings("SELECT count(*) || ' ' || count(ring) FROM Animal") == ["5 1"])
  }

  @Test func `a step makes a property of all of what a subclass must have, and others get the default`() throws {
    enum Old: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Zoos.First.Dog.self, Zoos.First.Bird.self]
      static let versionIdentifier = Schema.Version(1, 0, 0)
    }
    enum New: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Zoos.Sized.Dog.self, Zoos.Sized.Bird.self]
      static let versionIdentifier = Schema.Version(2, 0, 0)
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [Old.self, New.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: Old.self, to: New.self,
          steps: [.transform(\Zoos.First.Bird.wings, to: \Zoos.Sized.Animal.size) { "\($0) wings" }])
      ]
    }
    try makeZoo()
    try store.open(Zoos.First.Dog.self, Zoos.First.Bird.self) { context in
      context.insert(Zoos.First.Bird(name: "Owl", wings: 2))
    }
    try store.open(Zoos.Sized.Dog.self, Zoos.Sized.Bird.self, plan: Plan.self) { context in
      let animals = try context.fetch(FetchDescriptor<Zoos.Sized.Animal>(sortBy: [SortDescriptor(\.name)]))
      #expect(animals.map(\.name) == ["Ant", "Owl", "Rex"])
      #expect(animals.map(\.size) == ["unknown", "2 wings", "unknown"])
    }
    try store.checkFile(Zoos.Sized.Dog.self, Zoos.Sized.Bird.self)
  }

  @Test func `a class that leaves its chain is named, with what brings its rows over`() throws {
    try makeZoo()
    for types: [any PersistentModel.Type] in [
      [Zoos.Free.Animal.self, Zoos.Free.Bird.self], [Zoos.Free.Bird.self, Zoos.Free.Animal.self],
    ] {
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(
          for: Schema(types), configurations: [store.configuration(.init(mayDrop: ["Mammal", "Dog"]))])
      }
      let obstacle = try #require(error?.obstacles.first { $0.message.contains("one of its own") })
      #expect(obstacle.model == "Bird" && obstacle.message.contains("as Animal is"))
      #expect(obstacle.remedy.contains("steps: [.drop(V1.Bird.self)]) { old, new in … }"))
    }
  }
}
