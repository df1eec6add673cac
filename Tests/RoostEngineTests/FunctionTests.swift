import RoostEngine
import Testing

@Suite struct FunctionTests {
  let connection: Connection

  struct Refusal: Error, CustomStringConvertible {
    var description: String { "not today" }
  }

  init() throws {
    connection = try .inMemory()
  }

  @Test(arguments: ValueTests.values)
  func `A function gets and gives any value`(value: DatabaseValue) throws {
    connection.addFunction("same", arguments: 1) { $0.value(0) }
    #expect(try connection.value("SELECT same(?)", value) == value)
  }

  @Test func `A function reads its arguments in place`() throws {
    connection.addFunction("describe", arguments: -1) { arguments in
      let text = arguments.withText(2) { $0.count }
      let blob = arguments.withBlob(3) { Array($0) }
      return .text(
        "\(arguments.count) \(arguments.int64(0)) \(arguments.double(1)) \(text) \(arguments.string(2)) \(blob)"
          + " \(arguments.isNull(4)) \(arguments.isNull(0)) \(arguments.isNull(99)) \(arguments.int64(-1))")
    }
    #expect(
      try connection.value("SELECT describe(7, 2.5, 'né', x'0100', NULL)")
        == .text("5 7 2.5 3 né [1, 0] true false true 0"))
  }

  @Test func `What a function throws is the statement's error`() throws {
    connection.addFunction("refuse", arguments: 0) { _ in throw Refusal() }
    connection.addFunction("fill", arguments: 0) { _ in
      throw DatabaseError(code: DatabaseError.full, message: "no room")
    }
    let error = #expect(throws: DatabaseError.self) { try connection.execute("SELECT refuse()") }
    #expect(error?.code == DatabaseError.error)
    #expect(error?.message == "not today")
    let other = #expect(throws: DatabaseError.self) { try connection.execute("SELECT fill()") }
    #expect(other?.code == DatabaseError.full)
    #expect(other?.message == "no room")
    #expect(try connection.value("SELECT 1") == .integer(1))
  }

  @Test func `An aggregate has a state for each group`() throws {
    connection.addAggregate("longest", arguments: 1) {
      ""
    } step: { longest, arguments in
      let text = arguments.string(0)
      if text.utf8.count > longest.utf8.count { longest = text }
    } finish: {
      .text($0)
    }
    try connection.execute("CREATE TABLE bird(kind, name)")
    try connection.execute("INSERT INTO bird VALUES (1, 'owl'), (1, 'swift'), (2, 'kite'), (2, 'jay')")
    #expect(
      try connection.values("SELECT longest(name) FROM bird GROUP BY kind ORDER BY kind")
        == [.text("swift"), .text("kite")])
    #expect(try connection.value("SELECT longest(name) FROM bird WHERE kind = 3") == .text(""))
  }

  @Test func `An aggregate's state is freed, even if a step or the end throws`() throws {
    final class Token: Sendable {}
    weak var remains: Token?
    do {
      let token = Token()
      remains = token
      for place in ["step", "finish", "none"] {
        connection.addAggregate("fragile_\(place)", arguments: 1) {
          [token]
        } step: { state, arguments in
          state.append(token)
          if place == "step", arguments.int64(0) == 2 { throw Refusal() }
        } finish: {
          if place == "finish" { throw Refusal() }
          return .integer(Int64($0.count))
        }
      }
    }
    let rows = "FROM (SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 3)"
    for place in ["step", "finish"] {
      let error = #expect(throws: DatabaseError.self) { try connection.execute("SELECT fragile_\(place)(x) \(rows)") }
      #expect(error?.message == "not today")
    }
    #expect(try connection.value("SELECT fragile_none(x) \(rows)") == .integer(4))
    #expect(remains != nil)
    connection.close()
    #expect(remains == nil)
  }

  @Test func `A collation orders`() throws {
    connection.addCollation("backwards") { left, right in
      right.lexicographicallyPrecedes(left) ? -1 : left.lexicographicallyPrecedes(right) ? 1 : 0
    }
    #expect(
      try connection.values("SELECT column1 FROM (VALUES ('b'), ('a'), (''), ('c')) ORDER BY 1 COLLATE backwards")
        == [.text("c"), .text("b"), .text("a"), .text("")])
  }

  @Test func `A registration that is refused is thrown by the next statement`() throws {
    let name = String(repeating: "x", count: 300)
    connection.addFunction(name, arguments: 0) { _ in .null }
    let error = #expect(throws: DatabaseError.self) { _ = try connection.statement("SELECT 1") }
    #expect(error?.message.contains(name) == true)
    #expect(try connection.value("SELECT 1") == .integer(1))
  }
}
