import Foundation
import Roost
import Testing

@Model private final class Station {
  @Attribute(.unique) var code: String
  var name: String

  init(code: String, name: String) {
    self.code = code
    self.name = name
  }
}

@Model private final class Reading {
  #Unique<Reading>([\.hour, \.station])
  var station: Station?
  var hour: Int
  var value: Double

  init(station: Station, hour: Int, value: Double) {
    self.hour = hour
    self.value = value
    self.station = station
  }
}

@Model private final class Seal {
  @Attribute(.unique(onConflict: .reject)) var number: Int
  var owner: Station?

  init(number: Int) { self.number = number }
}

@Model private final class Depot {
  @Relationship(deleteRule: .cascade, inverse: \Crate.depot) var crates: [Crate] = []
  init() {}
}

@Model private final class Crate {
  var depot: Depot?
  init() {}
}

/// Saves in which unique values and rows go from one model to another.
@Suite struct ReplacingTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Reading.self, Seal.self, Depot.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  @Test func `all rows are replaced by new ones with the same unique values`() throws {
    for code in ["A", "B"] { context.insert(Station(code: code, name: "old")) }
    try context.save()
    try context.delete(model: Station.self)
    for code in ["A", "B"] { context.insert(Station(code: code, name: "new")) }
    try context.save()
    #expect(try stations() == ["A new", "B new"])
  }

  @Test func `a new row takes the unique value that another gives up`() throws {
    let first = Station(code: "A", name: "first")
    context.insert(first)
    try context.save()
    first.code = "B"
    context.insert(Station(code: "A", name: "second"))
    try context.save()
    #expect(try stations() == ["A second", "B first"])
  }

  @Test func `rows hand their unique values down the line`() throws {
    let stations = ["A", "B", "C"].map { Station(code: $0, name: "was \($0)") }
    stations.forEach { context.insert($0) }
    try context.save()
    stations[0].code = "B"
    stations[1].code = "C"
    stations[2].code = "D"
    try context.save()
    #expect(try self.stations() == ["B was A", "C was B", "D was C"])
  }

  @Test func `reject lets a row be replaced that the same save deletes or edits`() throws {
    let seals = [1, 2].map { Seal(number: $0) }
    seals.forEach { context.insert($0) }
    try context.save()
    context.delete(seals[0])
    seals[1].number = 3
    context.insert(Seal(number: 1))
    context.insert(Seal(number: 2))
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Seal>()).map(\.number).sorted() == [1, 2, 3])
    context.insert(Seal(number: 3))
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
  }

  @Test func `an edit takes the unique value of a deleted row`() throws {
    let (first, second) = (Station(code: "A", name: "first"), Station(code: "B", name: "second"))
    context.insert(first)
    context.insert(second)
    try context.save()
    context.delete(first)
    second.code = "A"
    try context.save()
    #expect(try stations() == ["A second"])
  }

  @Test func `a model that leaves an owner for another survives the former's deletion`() throws {
    let (old, new) = (Depot(), Depot())
    let crate = Crate()
    old.crates = [crate]
    context.insert(old)
    try context.save()
    context.insert(new)
    crate.depot = new
    context.delete(old)
    try context.save()
    let left = try ModelContext(container).fetch(FetchDescriptor<Crate>())
    #expect(left.count == 1)
    #expect(left.first?.depot?.persistentModelID == new.persistentModelID)
  }

  @Test(arguments: [false, true])
  func `a graph of unique models updates the rows there are, whatever comes first`(isReadingFirst: Bool) throws {
    context.insert(Reading(station: Station(code: "JFK", name: "old"), hour: 1, value: 10))
    try context.save()
    let other = ModelContext(container)
    let station = Station(code: "JFK", name: "new")
    let reading = Reading(station: station, hour: 1, value: 20)
    if !isReadingFirst { other.insert(station) }
    other.insert(reading)
    try other.save()
    #expect(try stations() == ["JFK new"])
    let readings = try ModelContext(container).fetch(FetchDescriptor<Reading>())
    #expect(readings.map(\.value) == [20])
    #expect(readings.first?.station?.name == "new")
  }

  @Test func `a stored model that is given a new one leads to the row that it becomes`() throws {
    context.insert(Station(code: "JFK", name: "old"))
    let seal = Seal(number: 1)
    context.insert(seal)
    try context.save()
    seal.owner = Station(code: "JFK", name: "new")
    try context.save()
    let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Seal>()).first)
    #expect(found.owner?.name == "new")
    #expect(try stations() == ["JFK new"])
  }

  @Test func `an edit of a row that is gone fails and says so`() throws {
    let station = Station(code: "A", name: "first")
    context.insert(station)
    try context.save()
    let other = ModelContext(container)
    try other.delete(model: Station.self)
    try other.save()
    station.name = "second"
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.model == "Station" && error?.row == station.persistentModelID)
    context.delete(station)
    try context.save()
  }

  private func stations() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Station>(sortBy: [SortDescriptor(\.code)]))
      .map { "\($0.code) \($0.name)" }
  }
}
