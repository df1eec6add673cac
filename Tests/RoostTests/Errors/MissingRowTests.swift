import Foundation
import Roost
import Testing

@Model final class Harbor {
  var name: String
  @Relationship(deleteRule: .deny, inverse: \Ship.home) var ships: [Ship] = []
  @Relationship(deleteRule: .noAction, inverse: \Ship.last) var left: [Ship] = []
  init(_ name: String) { self.name = name }
}

@Model final class Ship {
  var name: String
  var last: Harbor?
  var home: Harbor?
  @Relationship(inverse: nil) var built: Harbor?
  @Relationship(inverse: nil) var visited: [Harbor] = []
  init(_ name: String) { self.name = name }
}

@Model final class Buoy {
  @Relationship(inverse: nil) var harbor: Harbor
  init(_ harbor: Harbor) { self.harbor = harbor }
}

/// Saves of what refers to rows that others have deleted since they were read.
@Suite struct MissingRowTests {
  let container: ModelContainer
  let context: ModelContext
  let ship: Ship
  let harbor: Harbor

  init() throws {
    container = try ModelContainer(
      for: Ship.self, Harbor.self, Buoy.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    (ship, harbor) = (Ship("Ann"), Harbor("Brest"))
    context.insert(ship)
    context.insert(harbor)
    try context.save()
  }

  private func deleteElsewhere() throws {
    let other = ModelContext(container)
    other.delete(try #require(try other.fetch(FetchDescriptor<Harbor>()).first))
    try other.save()
  }

  private func failure() throws -> SwiftDataError {
    try deleteElsewhere()
    return try #require(throws: SwiftDataError.self) { try context.save() }
  }

  @Test func `a reference that noAction leaves behind is nil to all that queries make of it`() throws {
    let (other, ships) = (Harbor("Calais"), [Ship("Bea"), Ship("Cid")])
    context.insert(other)
    for ship in ships { context.insert(ship) }
    (ship.last, ships[0].last) = (harbor, other)
    try context.save()
    let fresh = ModelContext(container)
    fresh.delete(try #require(try fresh.fetch(FetchDescriptor<Harbor>(sortBy: [SortDescriptor(\.name)])).first))
    try fresh.save()
    let all = FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)])
    #expect(try fresh.fetch(all).map(\.last?.name) == [nil, "Calais", nil])
    let kept = other.persistentModelID
    #expect(try fresh.fetch(all, select: .identifier(\.last)) == [nil, kept, nil])
    #expect(try fresh.aggregate(all, .countDistinct(\.last)) == 1)
    let groups = try fresh.aggregate(FetchDescriptor<Ship>(), groupBy: .identifier(\.last), select: .count)
    #expect(groups.map(\.0) == [nil, kept] && groups.map(\.1) == [2, 1])
    #expect(try fresh.fetch(FetchDescriptor<Ship>(), sectionBy: \.last).map(\.count) == [2, 1])
  }

  @Test func `the error names the model, the property and the row that is gone`() throws {
    ship.home = harbor
    let error = try failure()
    #expect(error == .modelValidationFailure)
    #expect(
      "\(error)" == """
        SwiftDataError.modelValidationFailure: Ship.home: It refers to Harbor 1, which is not in the store any more. Row: Ship 1. \
        Set another value or none, or roll the context back.
        """)
    ship.home = nil
    try context.save()
  }

  @Test func `so it does where the relationship has no inverse`() throws {
    ship.built = harbor
    #expect("\(try failure())".contains("Ship.built: It refers to Harbor 1, which is not"))
  }

  @Test(arguments: [false, true]) func `so it does for a list, read or not`(isRead: Bool) throws {
    if isRead { #expect(ship.visited == []) }
    ship.visited.append(harbor)
    let error = "\(try failure())"
    #expect(
      error.contains("Ship.visited: It refers to Harbor 1, which is not") && error.contains("Take it out of the list"))
  }

  @Test func `it names none that may refer to what is gone`() throws {
    (ship.last, ship.built) = (harbor, harbor)
    #expect("\(try failure())".contains("Ship.built: It refers to Harbor 1, which is not"))
    ship.built = nil
    try context.save()
  }

  @Test func `it proposes no nil for what must refer to a model`() throws {
    context.insert(Buoy(harbor))
    #expect("\(try failure())".contains("Set another value, or roll the context back."))
  }

  @Test func `so it does for a new model`() throws {
    let new = Ship("Bob")
    new.home = harbor
    #expect("\(try failure())".contains("Ship.home: It refers to Harbor 1, which is not"))
    context.rollback()
    try context.save()
  }
}
