import Foundation
import Roost
import Testing

private enum Grade: Int, Codable { case low = 1, high = 9 }
private struct Corner: Codable, Equatable { var x: Int, name: String }

@Model private final class Sheet {
  var flag = true
  var small: Int8 = -5
  var huge: UInt64 = .max
  var real = 0.1
  var text = "O'Hara; DROP TABLE Sheet --"
  var date = Date(timeIntervalSinceReferenceDate: 123_456.789)
  var data = Data([0, 1, 255])
  var uuid = UUID()
  var url = URL(string: "https://example.org/a?b=c")!
  var decimal = Decimal(string: "0.10000000000000000001")!
  var level = Grade.high
  var genre = Genre.science
  var place = Corner(x: 1, name: "here")
  var numbers = [3, 1, 2]
  var absent: Int?
  init() {}
}

/// What is interpolated into SQL is a value, in the form that the store has it in.
@Suite struct SQLValueTests {
  private let context: ModelContext
  private let sheet = Sheet()

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    context = ModelContext(try ModelContainer(for: Sheet.self, configurations: configuration))
    context.insert(sheet)
    try context.save()
  }

  private func check<Value: Codable & Equatable>(_ property: KeyPath<Sheet, Value>) throws {
    let value = sheet[keyPath: property]
    let found: [Sheet] = try context.fetch(sql: "SELECT * FROM \(Sheet.self) WHERE \(property) IS \(value)")
    #expect(found == [sheet])
    let read: [Value] = try context.rows(sql: "SELECT \(property) AS v FROM \(Sheet.self)").map { try $0["v"] }
    #expect(read == [value])
    let bound: [Value] = try context.rows(sql: "SELECT \(value)").map { try $0[0] }
    #expect(bound == [value])
  }

  @Test func `a value of each type is found, read and bound as the store has it`() throws {
    try check(\.flag)
    try check(\.small)
    try check(\.huge)
    try check(\.real)
    try check(\.text)
    try check(\.date)
    try check(\.data)
    try check(\.uuid)
    try check(\.url)
    try check(\.decimal)
    try check(\.level)
    try check(\.genre)
    try check(\.place)
    try check(\.absent)
    let found = try context.fetch(
      sql: "SELECT * FROM \(Sheet.self) WHERE \(\Sheet.numbers) = \(json: sheet.numbers)", as: Sheet.self)
    #expect(found == [sheet])
    let numbers: [[Int]] = try context.rows(sql: "SELECT numbers FROM \(Sheet.self)").map { try $0[0] }
    #expect(numbers == [[3, 1, 2]])
  }

  @Test func `text that looks like SQL stays text`() throws {
    for text in ["'", "\"", "'; DROP TABLE Sheet; --", "?", "a\0b", "\\", ""] {
      let count = try context.execute(sql: "UPDATE \(Sheet.self) SET \(\Sheet.text) = \(text)")
      #expect(count == 1 && sheet.text == text)
      #expect(try context.rows(sql: "SELECT \("x'" + text)", as: String.self) == ["x'" + text])
    }
    #expect(try context.rows(sql: "SELECT \("constant")", as: String.self) == ["constant"])
    #expect(try context.fetchCount(FetchDescriptor<Sheet>()) == 1)
  }

  @Test func `lists are for IN, of whatever type and length`() throws {
    func count(_ condition: SQL) throws -> Int {
      try context.rows(sql: "SELECT count(*) FROM \(Sheet.self) WHERE \(condition)", as: Int.self)[0]
    }
    #expect(try count("\(\Sheet.level) IN \([Grade.low, .high])") == 1)
    #expect(try count("\(\Sheet.text) IN \(["a", "b"])") == 0)
    #expect(try count("\(\Sheet.uuid) IN \(Set([UUID(), sheet.uuid]))") == 1)
    #expect(try count("\(\Sheet.small) IN \(Array(-50_000..<50_000))") == 1)
    let texts = (0..<40_000).map { "text\($0)" }
    #expect(try count("\(\Sheet.text) IN \(texts)") == 0)
    #expect(try count("\(\Sheet.text) IN \(texts + [sheet.text])") == 1)
    #expect(try count("\(\Sheet.uuid) IN \((0..<40_000).map { _ in UUID() } + [sheet.uuid])") == 1)
    #expect(try count("\(\Sheet.small) IN \([Int]())") == 0)
    #expect(try count("\(\Sheet.small) NOT IN \([Int]())") == 1)
    #expect(try count("\(\Sheet.persistentModelID) IN \([sheet])") == 1)
    #expect(try count("_pk IN \([sheet.persistentModelID])") == 1)
    #expect(try count("_pk = \(sheet) AND _pk = \(sheet.persistentModelID)") == 1)
    #expect(try count("_pk IS \(nil as Sheet?)") == 0)
  }

  @Test func `what cannot be stored is refused`() throws {
    let error = #expect(throws: SwiftDataError.self) { try context.rows(sql: "SELECT \(Double.nan)") }
    #expect(error == .invalidSQL && error?.message.contains("NaN") == true)
  }

  @Test func `a parameter that nothing is interpolated for is refused`() throws {
    for sql: SQL in ["SELECT ?, \(1)", "SELECT :name", "SELECT \(1), ?2"] {
      #expect(throws: SwiftDataError.invalidSQL) { try context.rows(sql: sql) }
    }
    #expect(try context.rows(sql: "SELECT '?' || \(1)", as: String.self) == ["?1"])
  }

  @Test func `a column of another type, or that is not there, is an error that says so`() throws {
    let row = try #require(try context.rows(sql: "SELECT text, small, NULL AS absent FROM \(Sheet.self)").first)
    #expect(throws: SwiftDataError.corruptValue) { try row["text", as: Int.self] }
    #expect(throws: SwiftDataError.corruptValue) { try row["absent", as: Int.self] }
    #expect(throws: SwiftDataError.corruptValue) { try row["text", as: Int?.self] }
    #expect(throws: SwiftDataError.invalidSQL) { try row["other", as: Int.self] }
    #expect(throws: SwiftDataError.invalidSQL) { try row[3, as: Int.self] }
    #expect(throws: SwiftDataError.invalidSQL) { try row[-1, as: Int.self] }
    #expect(try row["absent", as: Int?.self] == nil)
    #expect(try row[1, as: Int.self] == -5)
    #expect(row.columnNames == ["text", "small", "absent"])
  }

  @Test func `a row is decoded by its columns' names`() throws {
    struct Summary: Decodable, Equatable {
      let level: Grade
      let place: Corner
      let uuid: UUID
      let absent: Int?
      let missing: String?
    }
    let summaries = try context.rows(sql: "SELECT uuid, place, absent, level FROM \(Sheet.self)", as: Summary.self)
    let expected = Summary(level: .high, place: sheet.place, uuid: sheet.uuid, absent: nil, missing: nil)
    #expect(summaries == [expected])
    #expect(throws: SwiftDataError.invalidSQL) { try context.rows(sql: "SELECT 1 AS level", as: Summary.self) }
  }
}
