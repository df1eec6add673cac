import EncryptionSupport
import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Two ways to note what this program changes: SQLite tells, or, where other triggers must run, history's own note it.
@Suite struct HistoryCaptureTests {
  /// One store of each kind: any trigger of the program's own has the triggers note it all.
  private let told: HistoryFixture
  private let triggered: HistoryFixture

  init() throws {
    (told, triggered) = (try HistoryFixture(), try HistoryFixture())
    try triggered.context.execute(sql: "CREATE TABLE audit (name)")
    try triggered.context.execute(
      sql: "CREATE TRIGGER audited AFTER INSERT ON Fan BEGIN INSERT INTO audit VALUES (NEW.name); END")
  }

  /// The changes of each transaction, in no order, with the rows that they are of.
  private func transactions(_ fixture: HistoryFixture) throws -> [Set<String>] {
    try fixture.transactions.map { transaction in
      // A row that is replaced may be told to have lost its links, or not: it is another one then.
      let deleted = Set(transaction.changes.filter(\.isDeletion).map(\.changedPersistentIdentifier))
      return Set(
        transaction.changes.compactMap { change in
          let row = change.changedPersistentIdentifier
          if case .update = change, deleted.contains(row) { return nil }
          return "\(HistoryFixture.word(change)) \(row.key)"
        })
    }
  }

  private func rows(_ fixture: HistoryFixture, _ sql: SQL) throws -> Int {
    try fixture.context.rows(sql: sql, as: Int.self).first ?? 0
  }

  @Test(.rowsTold) func `both ways note the same, whatever is changed`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var (steps, noted) = (0, 0)
    for fixture in [told, triggered] {
      var random = SeededRandom(seed: seed)
      for _ in 0..<300 {
        try step(fixture, &random)
        steps += 1
      }
      noted += try rows(fixture, "SELECT count(*) FROM _roost_change")
    }
    let (left, right) = (try transactions(told), try transactions(triggered))
    for (place, pair) in zip(left, right).enumerated() where pair.0 != pair.1 {
      Issue.record("seed \(seed), transaction \(place): \(pair.0.sorted()) and by triggers \(pair.1.sorted())")
      break
    }
    #expect(left.count == right.count && left.count > 150)
    // It tested something: one noted nothing by triggers, and the other all.
    #expect(try rows(told, "SELECT count(*) FROM _roost_change") == 0)
    #expect(try rows(told, "SELECT count(*) FROM _roost_transaction WHERE changes IS NULL") == 0)
    #expect(
      try rows(triggered, "SELECT count(*) FROM _roost_transaction WHERE changes IS NOT NULL") == 0 && noted > 300)
    #expect(try rows(triggered, "SELECT count(*) FROM audit") > 10)
  }

  private func step(_ fixture: HistoryFixture, _ random: inout SeededRandom) throws {
    let context = fixture.context
    let bands = try context.fetch(FetchDescriptor<Band>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let fans = try context.fetch(FetchDescriptor<Fan>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let number = Int.random(in: 0..<10, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: for next in 0..<number { context.insert(Band(name: "\(number) \(next)")) }
    case 2: for next in 0...number { context.insert(Fan(name: "\(next)")) }
    case 3: for band in bands.prefix(number) { band.size += number % 2 }
    case 4: bands.randomElement(using: &random)?.name = "\(number)"
    case 5: bands.randomElement(using: &random)?.fans = Array(fans.prefix(number))
    case 6: if let band = bands.randomElement(using: &random) { context.insert(Record(title: "\(number)", band: band)) }
    case 7: if let band = bands.randomElement(using: &random) { context.delete(band) }
    case 8: for fan in fans.suffix(number / 3) { context.delete(fan) }
    case 9: try context.update(model: Band.self, where: #Predicate { $0.size > number }, set: .set(\.size, to: 0))
    case 10: try context.delete(model: Record.self, where: #Predicate { $0.title == "3" })
    case 11:
      if let key = bands.last?.persistentModelID.key {
        try context.execute(sql: "INSERT OR REPLACE INTO Band (_pk, name, size) VALUES (\(key), 'r', \(number))")
      }
    case 12: bands.first { $0.records.count > 1 }?.records.shuffle(using: &random)
    case 13:
      if let band = bands.randomElement(using: &random) {
        try context.execute(sql: "UPDATE Record SET _band_position = \(number) - _pk, band = \(band) WHERE _pk % 3 = 0")
      }
    case 14: _ = try? context.execute(sql: "UPDATE Band SET _pk = 1")
    default:
      try? context.container.withDatabase { database in
        try database.execute(sql: "UPDATE Band SET size = size + 1 WHERE _pk % 3 = 0")
        try database.execute(sql: "INSERT INTO Fan (name) VALUES ('sql')")
        if number < 3 { throw CancellationError() }
      }
    }
    try context.save()
  }

  @Test func `a trigger made by the program runs from then on, and what it does is recorded`() throws {
    let context = told.context
    context.insert(Fan(name: "before"))
    try context.save()
    try context.container.withDatabase { database in
      try database.execute(sql: "INSERT INTO Fan (name) VALUES ('a')")
      try database.execute(
        sql: "CREATE TRIGGER made AFTER INSERT ON Fan BEGIN INSERT INTO Band (name, size) VALUES (NEW.name, 1); END")
      try database.execute(sql: "INSERT INTO Fan (name) VALUES ('b')")
    }
    context.insert(Fan(name: "c"))
    try context.save()
    try context.execute(sql: "DROP TRIGGER made")
    context.insert(Fan(name: "after"))
    try context.save()
    #expect(
      try told.words.map { Set($0) } == [
        ["insert Fan"], ["insert Fan", "insert Band"], ["insert Fan", "insert Band"], ["insert Fan"],
      ])
    #expect(try told.words[1].count == 3)
  }

  @Test func `a trigger runs on whose removal could not be committed`() throws {
    let context = told.context
    try context.execute(
      sql: "CREATE TRIGGER made AFTER INSERT ON Fan BEGIN INSERT INTO Band (name, size) VALUES (NEW.name, 1); END")
    context.insert(Fan(name: "a"))
    try context.save()
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.container.withDatabase { database in
        try database.execute(sql: "DROP TRIGGER made")
        // There is no such band, which the commit finds.
        try database.execute(sql: "INSERT INTO Record (title, band) VALUES ('a', 99)")
      }
    }
    context.insert(Fan(name: "b"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Band>()) == 2)
  }

  @Test func `another program's trigger runs for this program's saves`() throws {
    told.context.insert(Fan(name: "a"))
    try told.context.save()
    let other = try Connection(ConnectionOptions(location: .file(path: told.folder.store.path)))
    defer { other.close() }
    try other.execute(
      "CREATE TRIGGER theirs AFTER INSERT ON Fan BEGIN INSERT INTO Band (name, size) VALUES (NEW.name, 1); END")
    told.context.insert(Fan(name: "b"))
    try told.context.save()
    #expect(try told.context.fetchCount(FetchDescriptor<Band>()) == 1)
    #expect(try Set(#require(told.words.last)) == ["insert Fan", "insert Band"])
  }

  @Test func `another program's table may be whatever SQLite takes`() throws {
    let other = try Connection(ConnectionOptions(location: .file(path: told.folder.store.path)))
    defer { other.close() }
    // A default without quotes is a text, and no expression.
    try other.execute("CREATE TABLE theirs (word TEXT NOT NULL DEFAULT hello)")
    told.context.insert(Fan(name: "a"))
    try told.context.save()
    #expect(try told.words.last == ["insert Fan"])
  }

  @Test func `a row with the largest key there is, and its links, are recorded`() throws {
    for fixture in [told, triggered] {
      let fan = Fan(name: "a")
      fixture.context.insert(fan)
      try fixture.context.save()
      try fixture.context.execute(sql: "INSERT INTO Band (_pk, name, size) VALUES (\(Int64.max), 'last', 1)")
      let last = try #require(try fixture.context.fetch(FetchDescriptor<Band>()).first)
      last.fans = [fan]
      try fixture.context.save()
      try fixture.context.delete(model: Band.self)
      try fixture.context.save()
      let found = try transactions(fixture).suffix(2).map { $0.sorted() }
      #expect(
        found == [
          ["update Band fans \(Int64.max)", "update Fan bands 1"],
          ["delete Band last \(Int64.max)", "update Fan bands 1"],
        ])
    }
  }

  @Test(.rowsTold) func `a deleted row of a subclass has no update of a list that its superclass has`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(
      for: Guild.self, CraftGuild.self, Apprentice.self, configurations: ModelConfiguration(url: folder.store))
    let context = ModelContext(container)
    let guild = CraftGuild(name: "A", craft: "a")
    guild.apprentices = [Apprentice(name: "B")]
    context.insert(guild)
    try context.save()
    context.delete(guild)
    try context.save()
    let changes = try #require(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.changes)
    #expect(changes.filter(\.isDeletion).map(\.changedPersistentIdentifier.entityName) == ["CraftGuild"])
    #expect(changes.filter { !$0.isDeletion }.map(\.changedPersistentIdentifier.entityName) == ["Apprentice"])
  }

  @Test func `erasing is a deletion of each row`() throws {
    for name in ["a", "b"] { told.context.insert(Band(name: name)) }
    try told.context.save()
    try told.container.erase()
    #expect(try told.words.last?.sorted() == ["delete Band a", "delete Band b"])
  }
}

extension HistoryChange {
  fileprivate var isDeletion: Bool { if case .delete = self { true } else { false } }
}
