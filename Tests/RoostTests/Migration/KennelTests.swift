import Foundation
import Roost
import Testing

/// Classes that leave the one which relationships refer to.
@Suite struct KennelTests {
  private let store: Migrated

  init() throws {
    store = try Migrated()
    try store.open(Kennels.First.Owner.self, Kennels.First.Wolf.self) { context in
      let (dog, wolf) = (Kennels.First.Dog(name: "Rex"), Kennels.First.Wolf(name: "Akela"))
      for pet in [dog, wolf] {
        let owner = Kennels.First.Owner(pet: pet)
        context.insert(owner)
        owner.walked = [dog, wolf]
      }
    }
  }

  @Test func `what refers to rows that are of another class by now refers to nothing, with a warning`() throws {
    let obstacles = try store.obstacles(Kennels.Wild.Owner.self, Kennels.Wild.Wolf.self, drops: .refuse)
    #expect(Set(obstacles.map { "\($0.property ?? "") \($0.rowCount)" }) == ["pet 1", "walked 2"])
    try store.open(Kennels.Wild.Owner.self, Kennels.Wild.Wolf.self) { context in
      let owners = try context.fetch(FetchDescriptor<Kennels.Wild.Owner>())
      #expect(Set(owners.map { $0.pet?.name }) == ["Rex", nil])
      #expect(owners.map { $0.walked.map(\.name) } == [["Rex"], ["Rex"]])
      try #expect(context.fetchCount(FetchDescriptor<Kennels.Wild.Wolf>()) == 1)
    }
    try store.checkFile(Kennels.Wild.Owner.self, Kennels.Wild.Wolf.self)
    try store.checkDropped(["Owner.pet 1", "Owner.walked 2"])
  }

  @Test func `what must refer to a row of another class is in the way`() throws {
    let obstacles = try store.obstacles(Kennels.Bound.Owner.self, Kennels.Bound.Wolf.self)
    #expect(obstacles.map { "\($0.model).\($0.property ?? "") \($0.rowCount)" } == ["Owner.pet 1"])
    try store.checkFile(Kennels.First.Owner.self, Kennels.First.Wolf.self)
  }
}
