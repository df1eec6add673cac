import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// What a store remembers of its changes.
@Suite struct HistoryTests {
  private let fixture: HistoryFixture
  private var context: ModelContext { fixture.context }

  init() throws { fixture = try HistoryFixture() }

  @Test func `a save is one transaction, whose changes are in order`() throws {
    let abba = Band(name: "Abba")
    context.insert(abba)
    try context.save()
    abba.size = 4
    context.insert(Record(title: "Waterloo", band: abba))
    try context.save()
    try context.save()
    #expect(try fixture.words == [["insert Band"], ["update Band size", "insert Record"]])
    let transactions = try fixture.transactions
    #expect(transactions[0].token < transactions[1].token && transactions[0].timestamp <= transactions[1].timestamp)
    #expect(transactions[0].changes[0].changedPersistentIdentifier == abba.persistentModelID)
    #expect(transactions.allSatisfy { $0.storeIdentifier == abba.persistentModelID.storeIdentifier })
  }

  @Test func `an update names the properties whose stored values differ`() throws {
    let abba = Band(name: "Abba")
    context.insert(abba)
    try context.save()
    abba.name = "Abba"
    try context.save()
    (abba.name, abba.founded) = ("ABBA", Date(timeIntervalSinceReferenceDate: 1))
    try context.save()
    #expect(try fixture.words == [["insert Band"], ["update Band name,founded"]])
  }

  @Test func `many new models are as few were`() throws {
    for number in 0..<1_000 { context.insert(Fan(name: "\(number)")) }
    try context.save()
    let transaction = try #require(try fixture.transactions.first)
    #expect(transaction.changes.count == 1_000)
    let fans = try context.fetch(FetchDescriptor<Fan>())
    #expect(Set(transaction.changes.map(\.changedPersistentIdentifier)) == Set(fans.map(\.persistentModelID)))
    let numbers = transaction.changes.compactMap { change -> Int64? in
      if case .insert(let insert as DefaultHistoryInsert<Fan>) = change { insert.changeIdentifier } else { nil }
    }
    #expect(Set(numbers).count == 1_000 && numbers == numbers.sorted())
  }

  @Test func `what is kept of a deleted model is what its properties are marked for`() throws {
    let founded = Date(timeIntervalSinceReferenceDate: 0.1)
    let abba = Band(name: "Ab'ba \u{301}'", founded: founded)
    context.insert(abba)
    try context.save()
    context.delete(abba)
    try context.save()
    guard case .delete(let delete as DefaultHistoryDelete<Band>)? = try fixture.transactions.last?.changes.first else {
      Issue.record("no deletion of a band")
      return
    }
    #expect(delete.tombstone[\.name] as? String == "Ab'ba \u{301}'")
    #expect(delete.tombstone[\.founded] as? Date == founded)
    #expect(delete.tombstone[\.size] == nil)
    #expect(delete.tombstone.map { $0 }.count == 2)
  }

  @Test func `what goes with a deleted model, and what lets it go, is recorded`() throws {
    let abba = Band(name: "Abba")
    context.insert(Record(title: "Waterloo", band: abba))
    let fan = Fan(name: "Ann")
    fan.bands = [abba]
    try context.save()
    context.insert(fan)
    try context.save()
    context.delete(abba)
    try context.save()
    let last = try #require(try fixture.words.last)
    #expect(last.contains("delete Record") && last.contains { $0.hasPrefix("delete Band") })
    #expect(last.contains("update Fan bands"))
  }

  @Test func `a link of two lists is an update of both`() throws {
    let (abba, fan) = (Band(name: "Abba"), Fan(name: "Ann"))
    context.insert(abba)
    context.insert(fan)
    try context.save()
    abba.fans.append(fan)
    try context.save()
    #expect(try Set(#require(try fixture.words.last)) == ["update Band fans", "update Fan bands"])
  }

  @Test func `another order of a list is an update of it, whoever changes it`() throws {
    let (abba, fans) = (Band(name: "Abba"), ["Ann", "Bob"].map { Fan(name: $0) })
    context.insert(abba)
    abba.fans = fans
    try context.save()
    abba.fans.reverse()
    try context.save()
    #expect(try Set(#require(try fixture.words.last)) == ["update Band fans"])
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    defer { other.close() }
    let table = try #require(
      try other.strings("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%fans%'").first)
    let columns = try other.strings("SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE '%position'")
    #expect(columns.count == 2)
    for column in columns { try other.execute("UPDATE \(table) SET \(column) = 1000 - ifnull(\(column), 0)") }
    #expect(try Set(#require(try fixture.words.last)) == ["update Band fans", "update Fan bands"])
  }

  @Test func `another order of a one-to-many list is an update of its owner alone, whoever changes it`() throws {
    let abba = Band(name: "Abba")
    context.insert(abba)
    let records = ["a", "b", "c"].map { Record(title: $0, band: abba) }
    for record in records { context.insert(record) }
    try context.save()
    abba.records = records.reversed()
    try context.save()
    #expect(try fixture.words.last == ["update Band records"])
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    defer { other.close() }
    try other.execute("UPDATE Record SET _band_position = 7 WHERE _pk = 1")
    #expect(try fixture.words.last == ["update Band records"])
    try other.execute("UPDATE Record SET _band_position = 7 WHERE _pk = 1")
    try other.execute("UPDATE Record SET _band_position = 8, title = 'd' WHERE _pk = 1")
    #expect(try Set(#require(fixture.words.last)) == ["update Band records", "update Record title"])
    try other.execute("UPDATE Record SET _band_position = 9, band = NULL WHERE _pk = 1")
    #expect(try fixture.words.last == ["update Record band"])
    try context.execute(sql: "UPDATE Record SET _band_position = 20 - ifnull(_band_position, 0)")
    #expect(try fixture.words.last == ["update Band records"])
  }

  @Test func `updates of many rows, and SQL, are transactions of their context's author`() throws {
    for name in ["Abba", "Blur"] { context.insert(Band(name: name)) }
    try context.save()
    context.author = "importer"
    try context.update(model: Band.self, set: .set(\.size, to: 4))
    try context.execute(sql: "UPDATE Band SET name = upper(name) WHERE name = 'Abba'")
    try context.execute(sql: "INSERT INTO Fan (name) VALUES ('Ann')")
    #expect(
      try fixture.words == [
        ["insert Band", "insert Band"], ["update Band size", "update Band size"], ["update Band name"], ["insert Fan"],
      ])
    #expect(try fixture.transactions.map(\.author) == [nil, "importer", "importer", "importer"])
  }

  @Test func `what other programs do is recorded, without an author`() throws {
    let abba = Band(name: "Abba")
    context.author = "app"
    context.insert(abba)
    try context.save()
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    try other.execute("UPDATE Band SET name = 'B'; INSERT INTO Fan (name) VALUES ('Ann'); DELETE FROM Band")
    other.close()
    context.insert(Fan(name: "Bob"))
    try context.save()
    #expect(
      try fixture.words == [
        ["insert Band"], ["update Band name", "insert Fan", "delete Band B"], ["insert Fan"],
      ])
    #expect(try fixture.transactions.map(\.author) == ["app", nil, "app"])
  }

  @Test func `transactions behind a token, and those of an author, are found`() throws {
    for (number, author) in ["a", "b", "a"].enumerated() {
      context.author = author
      context.insert(Fan(name: "\(number)"))
      try context.save()
    }
    let all = try fixture.transactions
    let data = try JSONEncoder().encode(all[0].token)
    let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: data)
    #expect(token == all[0].token)
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.predicate = #Predicate { $0.token > token }
    #expect(try context.fetchHistory(descriptor) == Array(all.dropFirst()))
    let author = "a"
    descriptor.predicate = #Predicate { $0.token > token && $0.author == author }
    #expect(try context.fetchHistory(descriptor) == [all[2]])
  }

  @Test func `the newest transaction is the first in the opposite order`() throws {
    for number in 0..<3 {
      context.insert(Fan(name: "\(number)"))
      try context.save()
    }
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    descriptor.fetchLimit = 1
    #expect(try context.fetchHistory(descriptor) == [try #require(try fixture.transactions.last)])
  }

  @Test func `a token of deleted history has expired, and numbers go on`() throws {
    for number in 0..<3 {
      context.insert(Fan(name: "\(number)"))
      try context.save()
    }
    let all = try fixture.transactions
    let (first, last) = (all[0].token, all[2].token)
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(try fixture.transactions.isEmpty)
    #expect(throws: SwiftDataError.historyTokenExpired) {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > first }))
    }
    context.insert(Fan(name: "new"))
    try context.save()
    let later = try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > last }))
    #expect(later.map { $0.changes.count } == [1] && later.allSatisfy { $0.token > last })
  }

  @Test func `a token of another store is refused`() throws {
    let other = try HistoryFixture(inMemory: true)
    other.context.insert(Fan(name: "Ann"))
    try other.context.save()
    let token = try #require(try other.transactions.last?.token)
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
    }
  }

  @Test func `a save that fails leaves no trace`() throws {
    let abba = Band(name: "Abba")
    context.insert(abba)
    try context.save()
    try context.execute(sql: "CREATE TRIGGER no BEFORE INSERT ON Fan BEGIN SELECT raise(ABORT, 'no'); END")
    abba.size = 2
    context.insert(Fan(name: "Ann"))
    #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(try fixture.words == [["insert Band"]])
  }

  @Test func `a saved context says where in history it is`() throws {
    nonisolated(unsafe) var tokens: [String: DefaultHistoryToken] = [:]
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) {
      let key = ModelContext.NotificationKey.historyTokens.rawValue
      tokens = $0.userInfo?[key] as? [String: DefaultHistoryToken] ?? [:]
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.insert(Fan(name: "Ann"))
    try context.save()
    let last = try #require(try fixture.transactions.last)
    #expect(tokens == [last.storeIdentifier: last.token])
  }

  @Test func `nothing is recorded where the options say so`() throws {
    let off = try HistoryFixture(.off)
    off.context.insert(Fan(name: "Ann"))
    try off.context.save()
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try off.transactions }
    #expect(try off.context.rows(sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'", as: String.self) == [])
    let some = try HistoryFixture(.excluding(Fan.self))
    some.context.insert(Fan(name: "Ann"))
    some.context.insert(Band(name: "Abba"))
    try some.context.save()
    #expect(try some.words == [["insert Band"]])
  }
}
