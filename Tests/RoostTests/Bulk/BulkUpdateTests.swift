import EncryptionSupport
import Foundation
import Roost
import RoostTesting
import Testing

/// Updates of many rows in one statement.
@Suite struct BulkUpdateTests {
  private let recorder = StatementRecorder()
  private let context: ModelContext
  private let room = Room(name: "hall", bonus: 5)
  private let gauges = [Gauge("a", count: 1), Gauge("b", count: 2), Gauge("c", count: 3)]

  init() throws {
    context = try makeGauges(recorder)
    gauges.forEach(context.insert)
    gauges[0].room = room
    gauges[1].limit = 9
    try context.save()
  }

  private func stored<Value: Sendable>(_ keyPath: KeyPath<Gauge, Value>) throws -> [Value] {
    try ModelContext(context.container).fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Gauge.name)]), select: .value(keyPath))
  }

  @Test(.rowsTold) func `one statement changes the rows that match, and models that are loaded follow`() throws {
    let other = ModelContext(context.container)
    let copies = try other.gauges()
    var count = 0
    let statements = try recorder.statements {
      count = try context.update(model: Gauge.self, where: #Predicate { $0.count > 1 }, set: \.count += 10)
    }
    #expect(count == 2)
    // One statement gives the three models that are alive their rows.
    #expect(statements.filter { $0.hasPrefix("UPDATE") }.count == 1 && statements.count == 2, "\(statements)")
    #expect(gauges.map(\.count) == [1, 12, 13] && !context.hasChanges)
    #expect(try stored(\.count) == [1, 12, 13])
    #expect(try other.gauges().map(\.count) == [1, 12, 13] && copies.map(\.count) == [1, 12, 13])
  }

  @Test func `values, other properties and expressions are set, each from the row as it was`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 7.25)
    let place = Locus(city: "Rome", floor: 2)
    try context.update(
      model: Gauge.self, set: .set(\.isOn, to: true), .set(\.color, to: .blue), .set(\.date, to: date),
      .set(\.note, to: \.name), .set(\.place, to: place), .set(\.limit, to: \.count), \.count *= 2, \.small -= 3,
      \.big += 4, .set(\.bytes, to: Data([1, 2])), .set(\.level, to: 1.5), \.price += 2)
    for (gauge, number) in zip(gauges, 1...) {
      #expect(gauge.isOn && gauge.color == .blue && gauge.date == date && gauge.note == gauge.name)
      #expect(gauge.place == place && gauge.limit == number && gauge.count == 2 * number && gauge.small == -3)
      #expect(gauge.big == 4 && gauge.bytes == Data([1, 2]) && gauge.level == 1.5 && gauge.price == 2)
    }
    try context.update(
      model: Gauge.self, set: .set(\.other, to: \.place), .set(\.date, to: nil), \.ratio += 0.5, \.level /= 4,
      .set(\.name, to: #Expression { $0.name + "!" }), \.count += \.count,
      .set(\.isOn, to: #Expression { $0.count > 4 }))
    #expect(gauges.map(\.name) == ["a!", "b!", "c!"] && gauges.map(\.other) == [place, place, place])
    #expect(gauges.map(\.count) == [4, 8, 12] && gauges.map(\.isOn) == [false, false, true])
    #expect(gauges[0].date == nil && gauges[0].ratio == 0.5 && gauges[0].level == 0.375)
  }

  @Test func `nil stays nil in arithmetic, and related models' values can be read`() throws {
    try context.update(
      model: Gauge.self, set: \.limit += 1, .set(\.note, to: \.room?.name),
      .set(\.count, to: #Expression { $0.room?.bonus ?? 0 }))
    #expect(gauges.map(\.limit) == [nil, 10, nil] && gauges.map(\.note) == ["hall", nil, nil])
    #expect(gauges.map(\.count) == [5, 0, 0])
    let rooms = try context.update(model: Room.self, set: .set(\.bonus, to: #Expression { $0.gauges.count }))
    #expect(rooms == 1 && room.bonus == 1)
  }

  @Test func `the predicate may ask related models`() throws {
    let count = try context.update(model: Gauge.self, where: #Predicate { $0.room?.name == "hall" }, set: \.count += 1)
    #expect(try count == 1 && stored(\.count) == [2, 2, 3])
    try context.update(model: Room.self, where: #Predicate { $0.gauges.contains { $0.count == 2 } }, set: \.bonus -= 1)
    #expect(room.bonus == 4)
  }

  // MARK: - Refused values

  @Test func `what cannot be computed names property and row, and nothing is written`() throws {
    gauges[1].count = .max
    gauges[1].level = .infinity
    try context.save()
    let assignments: [(String, Assignment<Gauge>)] = [
      ("count", \.count += 1), ("count", \.count *= 2), ("small", .set(\.small, to: #Expression { $0.small + 127 })),
      ("big", \.big -= 1), ("level", \.level -= .infinity), ("peak", .set(\.peak, to: #Expression { $0.level * 0 })),
      ("count", .set(\.count, to: #Expression { 6 / $0.count })), ("count", \.count /= 0),
      ("count", .set(\.count, to: #Expression { $0.limit! })),
      ("bytes", .set(\.bytes, to: #Expression { $0.bytes! })),
    ]
    gauges[0].small = 1
    gauges[2].count = 0
    try context.save()
    for (property, assignment) in assignments {
      let error = #expect(throws: SwiftDataError.self, "\(property)") {
        try context.update(model: Gauge.self, set: .set(\.note, to: "x"), assignment)
      }
      #expect(error == .modelValidationFailure && error?.model == "Gauge" && error?.property == property)
      #expect(error?.row != nil && error?.remedy != nil)
    }
    #expect(try stored(\.note) == [nil, nil, nil] && gauges[1].count == .max)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Gauge.self, set: .set(\.level, to: .nan))
    }
    #expect(error?.property == "level")
    #expect(try context.update(model: Gauge.self, where: #Predicate { $0.count < 9 }, set: \.count += 1) == 2)
  }

  @Test func `a product that is too large for a decimal number is refused`() throws {
    let large = Decimal(sign: .plus, exponent: 100, significand: 1)
    gauges[1].price = large
    try context.save()
    for isPending in [false, true] {
      if isPending { gauges[1].note = "edited" }
      let error = #expect(throws: SwiftDataError.modelValidationFailure) {
        try context.update(model: Gauge.self, set: \.price *= large)
      }
      #expect(error?.property == "price" && error?.row == gauges[1].persistentModelID)
    }
    #expect(try stored(\.price) == [0, large, 0])
    #expect(gauges[1].price == large)
  }

  @Test func `unique values may change places, and two of the same are refused`() throws {
    let runners = (1...5).map { Runner(rank: $0, name: "\($0)") }
    runners.forEach(context.insert)
    try context.save()
    #expect(try context.update(model: Runner.self, set: \.rank += 1) == 5)
    #expect(try context.update(model: Runner.self, set: .set(\.rank, to: #Expression { 7 - $0.rank })) == 5)
    #expect(runners.map(\.rank) == [5, 4, 3, 2, 1])
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Runner.self, set: .set(\.rank, to: 1), .set(\.name, to: "x"))
    }
    #expect(error?.model == "Runner" && error?.property == "rank" && runners.map(\.name) == ["1", "2", "3", "4", "5"])
    context.insert(Runner(rank: 1, name: "new"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Runner>()) == 5 && runners[4].name == "new")
  }

  @Test func `a property that an update cannot set is named before any SQL runs`() throws {
    let assignments: [(Assignment<Gauge>, String)] = [
      (.set(\.image, to: nil), "externalStorage"), (.set(\.shade, to: 1), "ephemeral"),
      (.set(\.place.city, to: "x"), "as a whole"), (.set(\.room!.name, to: "x"), "no stored property"),
      (.set(\.lid, to: nil), "Lid.gauge"), (.set(\.shelf, to: nil), "Room.shelved"),
      (.set(\.other, to: #Expression { $0.isOn ? $0.place : $0.place }), "SQL cannot"),
      (.set(\.room, to: \.shelf), "to a model, or to nil"),
    ]
    let statements = recorder.statements {
      for (assignment, reason) in assignments {
        let error = #expect(throws: SwiftDataError.self, "\(reason)") {
          try context.update(model: Gauge.self, set: assignment)
        }
        #expect(
          "\(error.map(String.init(describing:)) ?? "")".contains(reason), "\(reason): \(String(describing: error))")
      }
      #expect(throws: SwiftDataError.unsupportedKeyPath) {
        try context.update(model: Gauge.self, set: \.count += 1, .set(\.count, to: 2))
      }
      #expect(throws: SwiftDataError.unsupportedKeyPath) {
        try context.update(model: Room.self, set: .set(\.gauges, to: []))
      }
      #expect(throws: SwiftDataError.unsupportedPredicate) {
        try context.update(
          model: Gauge.self, set: .set(\.count, to: #Expression { $0.room?.gauges.count ?? 0 }))
      }
    }
    #expect(statements == [])
  }

  @Test func `a store that may not be written to refuses`() throws {
    let folder = try TemporaryFolder()
    do { try ModelContainer(for: Gauge.self, configurations: ModelConfiguration(url: folder.store)).close() }
    let reader = try ModelContainer(
      for: Gauge.self, configurations: ModelConfiguration(url: folder.store, allowsSave: false))
    #expect(throws: SwiftDataError.readOnlyStore) {
      try ModelContext(reader).update(model: Gauge.self, set: \.count += 1)
    }
  }

  // MARK: - Pending changes

  @Test func `models with pending changes are edited, and the next save writes them`() throws {
    gauges[0].count = 20
    gauges[1].name = "bb"
    let new = Gauge("n", count: 30)
    context.insert(new)
    context.delete(gauges[2])
    var count = 0
    let statements = try recorder.statements {
      count = try context.update(model: Gauge.self, where: #Predicate { $0.count > 1 }, set: \.count += 1)
    }
    #expect(count == 3)
    #expect(statements.filter { $0.hasPrefix("UPDATE \"Gauge\"") } == [])
    #expect([gauges[0].count, gauges[1].count, new.count] == [21, 3, 31] && context.insertedModelsArray.count == 1)
    #expect(try stored(\.count) == [1, 2, 3])
    context.rollback()
    #expect(gauges.map(\.count) == [1, 2, 3])
    gauges[0].count = 20
    #expect(try context.update(model: Gauge.self, set: \.count += 1) == 3)
    #expect(try stored(\.count) == [1, 3, 4])
    try context.save()
    #expect(try stored(\.count) == [21, 3, 4])
  }

  @Test func `pending changes of other models count in predicates and values`() throws {
    room.name = "cellar"
    room.bonus = 7
    #expect(
      try context.update(model: Gauge.self, where: #Predicate { $0.room?.name == "hall" }, set: \.count += 1) == 0)
    #expect(
      try context.update(model: Gauge.self, where: #Predicate { $0.room?.name == "cellar" }, set: \.count += 1) == 1)
    #expect(try stored(\.count) == [2, 2, 3])
    try context.update(
      model: Gauge.self, where: #Predicate { $0.room != nil }, set: .set(\.count, to: #Expression { $0.room!.bonus }))
    #expect(gauges[0].count == 7 && gauges[0].hasChanges)
    #expect(try stored(\.count) == [2, 2, 3])
    try context.save()
    #expect(try stored(\.count) == [7, 2, 3])
  }

  @Test func `values know what the context deletes, and what it has not saved`() throws {
    let context = try makeEvents()
    let (event, venue) = (Event(day: 1, title: "a"), Venue(name: "hall"))
    context.insert(event)
    event.other = venue
    try context.save()
    context.delete(venue)
    try context.update(model: Event.self, set: .set(\.isFull, to: #Expression { $0.other == nil }))
    #expect(event.other == nil && event.isFull)
    context.rollback()
    try context.update(model: Event.self, set: .set(\.isFull, to: #Expression { $0.other == nil }))
    #expect(event.other === venue && !event.isFull && !context.hasChanges)
    let articles = try Newsstand().context
    let (swifts, sparrows) = (Article("A", "sparrows"), Article("B", "sparrows"))
    for article in [swifts, sparrows] { articles.insert(article) }
    try articles.save()
    swifts.body = "swifts"
    try articles.update(model: Article.self, set: .set(\.stars, to: #Expression { $0.body.matches("swift") ? 1 : 2 }))
    #expect(swifts.stars == 1 && sparrows.stars == 2)
  }

  @Test func `a pending value that cannot be computed is refused before anything is written`() throws {
    gauges[2].count = .max
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Gauge.self, set: \.count += 1)
    }
    #expect(error?.row == gauges[2].persistentModelID && error?.property == "count")
    #expect(try stored(\.count) == [1, 2, 3] && gauges.map(\.count) == [1, 2, .max])
  }

  @Test func `an update writes the row of a model whose edit was undone, though others are edited`() throws {
    let context = try makeLibrary()
    let books = [Book(title: "a"), Book(title: "b")]
    books.forEach { context.insert($0) }
    try context.save()
    let undo = UndoManager()
    context.undoManager = undo
    books[0].pages = 5
    context.processPendingChanges()
    undo.undo()
    books[1].title = "edited"
    try context.update(model: Book.self, where: #Predicate { $0.title != "edited" }, set: \.pages += 1)
    #expect(books[0].pages == 1)
    context.rollback()
    #expect(books[0].pages == 1 && books[1].pages == 0)
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    #expect(stored.map(\.pages) == [1, 0])
  }

  @Test func `an update in a draft stays there until it is saved`() throws {
    let draft = ModelContext(draftOf: context)
    gauges[0].count = 10
    #expect(try draft.update(model: Gauge.self, where: #Predicate { $0.count > 2 }, set: \.count *= 2) == 2)
    #expect(try draft.gauges().map(\.count) == [20, 2, 6] && gauges.map(\.count) == [10, 2, 3])
    try draft.save()
    #expect(gauges.map(\.count) == [20, 2, 6])
    #expect(try stored(\.count) == [1, 2, 3])
  }

  // MARK: - Relationships and inheritance

  @Test func `a relationship is set to a model or to nil, and lists follow`() throws {
    let cellar = Room(name: "cellar")
    context.insert(cellar)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Gauge.self, set: .set(\.room, to: cellar))
    }
    try context.save()
    room.gauges = [gauges[2], gauges[1], gauges[0]]
    try context.save()
    #expect(
      try context.update(model: Gauge.self, where: #Predicate { $0.count > 1 }, set: .set(\.room, to: cellar)) == 2)
    #expect(room.gauges == [gauges[0]] && cellar.gauges == [gauges[1], gauges[2]])
    #expect(gauges.map(\.room) == [room, cellar, cellar])
    let reader = ModelContext(context.container)
    #expect(try reader.fetch(FetchDescriptor<Room>(sortBy: [SortDescriptor(\.name)])).map(\.gauges.count) == [2, 1])
    try context.update(model: Gauge.self, set: .set(\.room, to: nil))
    #expect(room.gauges == [] && cellar.gauges == [] && gauges.allSatisfy { $0.room == nil })
    let stranger = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Room>()).first)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(model: Gauge.self, set: .set(\.room, to: stranger))
    }
  }

  @Test func `lists with pending changes lose and get what an update moves, and keep their order`() throws {
    let cellar = Room(name: "cellar")
    cellar.gauges = [gauges[1], gauges[2]]
    context.insert(cellar)
    try context.save()
    room.bonus = 1
    cellar.gauges.reverse()
    #expect(room.gauges == [gauges[0]])
    let late = (1...3).map { Gauge("\($0)", count: 9) }
    try save(late, in: context.container)
    let moved = try context.update(
      model: Gauge.self, where: #Predicate { $0.count == 9 }, set: .set(\.room, to: cellar))
    #expect(moved == 3 && cellar.gauges.map(\.name) == ["c", "b", "1", "2", "3"])
    try context.update(
      model: Gauge.self, where: #Predicate { $0.name == "b" || $0.name == "2" }, set: .set(\.room, to: room))
    #expect(cellar.gauges.map(\.name) == ["c", "1", "3"] && room.gauges.map(\.name) == ["a", "b", "2"])
    try context.save()
    try context.update(
      model: Gauge.self, where: #Predicate { $0.room?.name == "cellar" }, set: .set(\.room, to: cellar))
    try context.save()
    let rooms = try ModelContext(context.container).fetch(FetchDescriptor<Room>(sortBy: [SortDescriptor(\.name)]))
    #expect(rooms.map { $0.gauges.map(\.name) } == [["c", "1", "3"], ["a", "b", "2"]])
  }

  private func save(_ gauges: [Gauge], in container: ModelContainer) throws {
    let writer = ModelContext(container)
    writer.insert(contentsOf: gauges)
    try writer.save()
  }

  @Test func `an update of a class changes its subclasses' rows, and no others`() throws {
    let context = try makeFourTrips()
    try context.save()
    #expect(try context.update(model: Trip.self, set: .set(\.name, to: #Expression { $0.name + "!" })) == 4)
    #expect(
      try context.update(model: BusinessTrip.self, where: #Predicate { $0.perDiem > 1 }, set: \.perDiem += 1) == 2)
    #expect(try context.update(model: PersonalTrip.self, set: \.notes += 1, .set(\.name, to: "p")) == 1)
    #expect(try context.update(model: ConferenceTrip.self, set: .set(\.notes, to: "n"), \.talks += 1) == 1)
    let trips = try ModelContext(context.container).fetch(FetchDescriptor<Trip>.byName)
    #expect(trips.map(\.name) == ["a plain!", "b business!", "c conference!", "p"])
    #expect(trips.compactMap { ($0 as? BusinessTrip)?.perDiem } == [21, 6])
    #expect(trips.compactMap { ($0 as? BusinessTrip)?.notes } == ["", "n"])
    #expect((trips[2] as? ConferenceTrip)?.talks == 3 && (trips[3] as? PersonalTrip)?.notes == 8)
  }

  @Test func `whether a row of the same table is there may be asked`() throws {
    let context = ModelContext(
      try ModelContainer(for: Twig.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let (root, tip) = (Twig(parent: nil), Twig(parent: nil))
    for twig in [root, tip] { context.insert(twig) }
    tip.parent = root
    try context.save()
    try context.update(model: Twig.self, set: .set(\.isRoot, to: #Expression { $0.parent == nil }))
    #expect(root.isRoot && !tip.isRoot)
    context.delete(root)
    try context.save()
    try context.update(model: Twig.self, set: .set(\.isRoot, to: #Expression { $0.parent == nil }))
    #expect(tip.parent == nil && tip.isRoot)
  }

  @Test @MainActor func `results that are observed change`() async throws {
    let observer = try ResultsObserver(
      filterBy: #Predicate<Gauge> { $0.count > 1 }, modelContainer: context.container)
    #expect(observer.results.count == 2)
    let context = ModelContext(context.container)
    try await change(of: observer) { try context.update(model: Gauge.self, set: \.count -= 1) }
    #expect(observer.results.map(\.name) == ["c"])
  }
}

@Model private final class Twig {
  var isRoot = false
  var parent: Twig?
  @Relationship(deleteRule: .noAction, inverse: \Twig.parent) var children: [Twig] = []

  init(parent: Twig?) { self.parent = parent }
}
