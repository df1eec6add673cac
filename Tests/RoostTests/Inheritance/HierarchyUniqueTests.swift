import Foundation
import Roost
import Testing

/// Unique values in classes that inherit.
@Suite struct HierarchyUniqueTests {
  private func makeContext() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Vessel.self, Ferry.self, Tanker.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test func `an inherited unique value updates the row of its class`() throws {
    let context = try makeContext()
    context.insert(Ferry(code: "A", cars: 1))
    try context.save()
    let other = ModelContext(context.container)
    let ferry = Ferry(code: "A", cars: 9)
    other.insert(ferry)
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Vessel>()) == 1)
    #expect(ferry.cars == 9)
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Ferry>()).map(\.cars) == [9])
  }

  @Test func `a model of the base updates the row of a subclass, which stays one`() throws {
    let context = try makeContext()
    context.insert(Ferry(code: "A", cars: 3))
    try context.save()
    for isLive in [true, false] {
      let other = ModelContext(context.container)
      let live = isLive ? try other.fetch(FetchDescriptor<Ferry>()) : []
      let vessel = Vessel(code: "A")
      vessel.length = isLive ? 70 : 80
      other.insert(vessel)
      try other.save()
      #expect(vessel.modelContext === other)
      #expect(live.allSatisfy { $0.length == 70 })
      let ferries = try other.fetch(FetchDescriptor<Vessel>()).compactMap { $0 as? Ferry }
      #expect(ferries.map(\.length) == [isLive ? 70 : 80])
      #expect(ferries.map(\.cars) == [3])
      #expect(ferries.map(\.persistentModelID) == [vessel.persistentModelID])
      vessel.length = 90
      #expect(ferries.map(\.length) == [90])
    }
  }

  @Test func `a row cannot become one of another class`() throws {
    let context = try makeContext()
    context.insert(Ferry(code: "A", cars: 3))
    try context.save()
    context.insert(Tanker(code: "A", tons: 5))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.model == "Tanker")
    #expect(error?.property == "code")
    #expect(error?.message.contains("Ferry") ?? false)
    context.rollback()
    #expect(try context.fetch(FetchDescriptor<Vessel>()).count == 1)
  }

  @Test func `a subclass's constraint on what it inherits holds for it alone`() throws {
    let context = try makeContext()
    for code in ["A", "B"] {
      let vessel = Vessel(code: code)
      vessel.length = 5
      context.insert(vessel)
    }
    for code in ["C", "D"] {
      let tanker = Tanker(code: code, tons: 1)
      tanker.length = 5
      context.insert(tanker)
    }
    try context.save()
    let vessels = try ModelContext(context.container).fetch(FetchDescriptor<Vessel>(sortBy: [SortDescriptor(\.code)]))
    #expect(vessels.map(\.code) == ["A", "B", "D"])
    #expect(vessels.last is Tanker)
  }

  @Test func `a subclass's own unique value updates`() throws {
    let context = try makeContext()
    context.insert(Ferry(code: "A", cars: 1, line: "north"))
    context.insert(Ferry(code: "B", cars: 2, line: "south"))
    context.insert(Tanker(code: "T", tons: 1))
    context.insert(Vessel(code: "V"))
    try context.save()
    context.insert(Ferry(code: "C", cars: 5, line: "north"))
    try context.save()
    let ferries = try ModelContext(context.container).fetch(FetchDescriptor<Ferry>(sortBy: [SortDescriptor(\.code)]))
    #expect(ferries.map(\.code) == ["B", "C"])
    #expect(ferries.map(\.cars) == [2, 5])
  }
}

@Model class Vessel {
  @Attribute(.unique) var code: String
  var length: Int?

  init(code: String) { self.code = code }
}

@Model final class Ferry: Vessel {
  var cars: Int
  @Attribute(.unique) var line: String?

  init(code: String, cars: Int, line: String? = nil) {
    self.cars = cars
    self.line = line
    super.init(code: code)
  }
}

@Model final class Tanker: Vessel {
  #Unique<Tanker>([\.length])
  var tons: Int

  init(code: String, tons: Int) {
    self.tons = tons
    super.init(code: code)
  }
}
