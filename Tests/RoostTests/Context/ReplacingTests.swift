import Foundation
import Roost
import RoostTesting
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

  init(station: Station?, hour: Int, value: Double) {
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

@Model private final class Kiosk {
  @Attribute(.unique) var number: Int
  @Attribute(.unique) var code: String

  init(number: Int, code: String) {
    self.number = number
    self.code = code
  }
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
      for: Reading.self, Seal.self, Kiosk.self, Depot.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
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

  @Test func `rows exchange their unique values in one save`() throws {
    let stations = ["A", "B", "C", "D"].map { Station(code: $0, name: "was \($0)") }
    stations.forEach { context.insert($0) }
    try context.save()
    for (station, code) in zip(stations, ["B", "C", "A", "E"]) { station.code = code }
    try context.save()
    #expect(try self.stations() == ["A was C", "B was A", "C was B", "E was D"])
    // What is not unique in the end is refused, and nothing is written.
    for (station, code) in zip(stations, ["C", "B", "E"]) { station.code = code }
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.message.contains("It is row 4 of Station.") ?? false, "\(String(describing: error))")
    context.rollback()
    (stations[0].code, stations[1].code) = ("A", "A")
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.rollback()
    #expect(try self.stations() == ["A was C", "B was A", "C was B", "E was D"])
    // The constraint holds as before.
    context.insert(Station(code: "A", name: "new"))
    try context.save()
    #expect(try self.stations() == ["A new", "B was A", "C was B", "E was D"])
  }

  @Test func `a row of several unique attributes collides with others, never with itself`() throws {
    let kiosks = [1, 2, 3].map { Kiosk(number: $0, code: "\($0)") }
    kiosks.forEach { context.insert($0) }
    try context.save()
    kiosks[0].code = "3"
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.message.contains("It is row 3 of Kiosk.") ?? false, "\(String(describing: error))")
    context.rollback()
    (kiosks[0].code, kiosks[1].code) = ("2", "1")
    (kiosks[1].number, kiosks[2].number) = (3, 2)
    try context.save()
    let saved = try ModelContext(container).fetch(FetchDescriptor<Kiosk>(sortBy: [SortDescriptor(\.number)]))
    #expect(saved.map(\.code) == ["2", "3", "1"])
  }

  @Test(arguments: [1, -1])
  func `rows whose unique values all move by one are each refused once at most`(step: Int) throws {
    let recorder = StatementRecorder()
    let context = ModelContext(
      try ModelContainer(
        for: Kiosk.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)))
    let kiosks = (0..<200).map { Kiosk(number: $0, code: "\($0)") }
    kiosks.forEach { context.insert($0) }
    try context.save()
    for kiosk in kiosks { kiosk.number += step }
    let updates = try recorder.statements { try context.save() }.filter { $0.hasPrefix("UPDATE \"Kiosk\"") }
    #expect(updates.count <= 2 * 200, "\(updates.count)")
    let saved = try ModelContext(context.container).fetch(FetchDescriptor<Kiosk>(sortBy: [SortDescriptor(\.number)]))
    #expect(saved.map(\.number) == (0..<200).map { $0 + step })
    #expect(saved.map(\.code) == (0..<200).map { "\($0)" })
  }

  @Test func `rows hand two unique values down lines of any order`() throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    let kiosks = (0..<60).map { Kiosk(number: $0, code: "\($0)") }
    kiosks.forEach { context.insert($0) }
    try context.save()
    for turn in 1...8 {
      // Each line goes through all rows and ends at a value that nobody has, or where it began.
      let lines = (0..<2).map { _ in kiosks.indices.shuffled(using: &random) }
      let (numbers, codes) = (kiosks.map(\.number), kiosks.map(\.code))
      for (place, next) in zip(lines[0], lines[0].dropFirst()) { kiosks[place].number = numbers[next] }
      for (place, next) in zip(lines[1], lines[1].dropFirst()) { kiosks[place].code = codes[next] }
      kiosks[lines[0][59]].number = turn.isMultiple(of: 2) ? numbers[lines[0][0]] : 1_000 * turn
      kiosks[lines[1][59]].code = turn.isMultiple(of: 3) ? codes[lines[1][0]] : "new \(turn)"
      try context.save()
      let saved = try ModelContext(container).fetch(
        FetchDescriptor<Kiosk>(sortBy: [SortDescriptor(\.persistentModelID)]))
      try #require(saved.map(\.number) == kiosks.map(\.number), "seed \(seed), turn \(turn)")
      try #require(saved.map(\.code) == kiosks.map(\.code), "seed \(seed), turn \(turn)")
    }
  }

  @Test func `of rows that want one value behind others the save names one, and writes nothing`() throws {
    let stations = ["A", "B", "C", "D"].map { Station(code: $0, name: "was \($0)") }
    stations.forEach { context.insert($0) }
    try context.save()
    for (station, code) in zip(stations, ["B", "C", "D", "D"]) { station.code = code }
    stations[3].name = "stays"
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.row == stations[2].persistentModelID)
    context.rollback()
    for (station, code) in zip(stations, ["C", "D", "D", "E"]) { station.code = code }
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.rollback()
    #expect(try self.stations() == ["A was A", "B was B", "C was C", "D was D"])
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

  @Test func `an upsert keeps the row's identifier and the relationships that the new model does not set`() throws {
    let library = try makeLibrary()
    let tag = Tag(name: "birds")
    let book = Book(title: "A", author: Author(name: "Lack"))
    book.tags = [tag]
    library.insert(book)
    try library.save()
    let identifier = tag.persistentModelID
    let again = Tag(name: "birds")
    again.books = [Book(title: "B")]
    library.insert(again)
    try library.save()
    #expect(tag.persistentModelID == identifier && again.persistentModelID == identifier)
    #expect(tag.books.map(\.title) == ["A", "B"])
  }

  @Test func `several new models with one unique value are one model of every list`() throws {
    let library = try makeLibrary()
    let tags = (0..<3).map { _ in Tag(name: "birds") }
    let books = ["A", "B", "C"].map { Book(title: $0) }
    for (book, tag) in zip(books, tags) { book.tags = [tag] }
    books[0].tags = tags
    books.forEach { library.insert($0) }
    try library.save()
    #expect(books.map { $0.tags.map(\.name) } == [["birds"], ["birds"], ["birds"]])
    let found = try ModelContext(library.container).fetch(FetchDescriptor<Tag>())
    #expect(found.map { $0.books.map(\.title).sorted() } == [["A", "B", "C"]])
    #expect(tags.map { $0.books.count } == [3, 3, 3])
    #expect(Set(tags.map(\.persistentModelID)) == Set(found.map(\.persistentModelID)))
  }

  @Test func `what has no value is never taken`() throws {
    for number in 0..<2 { context.insert(Seal(number: number)) }
    for hour in [1, 1] { context.insert(Reading(station: nil, hour: hour, value: 0)) }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Reading>()) == 2)
  }

  @Test func `strings that only a NUL, a case or a space tells apart are different unique values`() throws {
    let codes = ["", "\0", "a", "a\0", "a\0b", "A", "a ", "\u{e4}", "\u{1F600}"]
    for name in ["old", "new"] {
      for code in codes { context.insert(Station(code: code, name: name)) }
      try context.save()
    }
    #expect(Set(try stations()) == Set(codes.map { "\($0) new" }))
  }

  @Test func `a stored model that is given a new one refers to the row that it becomes`() throws {
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
