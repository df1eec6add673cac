import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostTesting
import Testing

@Model class Part {
  #Unique<Part>([\.maker, \.name])
  @Attribute(.unique, .preserveValueOnDeletion) var code: String?
  @Attribute(.unique) var serial: Int?
  var maker: Int?
  var name: String?

  init(code: String?) { self.code = code }
}

@Model class Spare: Part {
  #Unique<Spare>([\.maker], [\.size?.width])
  var size: PartSize?

  init(width: Int) {
    super.init(code: nil)
    size = PartSize(width: width)
  }
}

struct PartSize: Codable, Hashable {
  var width: Int
}

@Model final class PlainPart {
  var name: String

  init(name: String) { self.name = name }
}

/// What other programs replace by `OR REPLACE`, for which SQLite runs no triggers unless asked.
@Suite struct HistoryReplacementTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext
  private let other: Connection

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(
      for: Part.self, Spare.self, PlainPart.self, configurations: ModelConfiguration(url: folder.store))
    context = ModelContext(container)
    other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
  }

  /// The changes of the last transaction, such as "delete 1 A", with the code that is kept.
  private func noted(by statement: String) throws -> [String] {
    let token = try transactions(after: nil).last?.token
    try other.execute(statement)
    return try transactions(after: token).flatMap(\.changes).map(word)
  }

  private func transactions(after token: DefaultHistoryToken?) throws -> [DefaultHistoryTransaction] {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    return try context.fetchHistory(descriptor)
  }

  private func word(_ change: HistoryChange) -> String {
    let key = change.changedPersistentIdentifier.key
    func kept(_ delete: some HistoryDelete) -> String { delete.tombstone.map { " \($0 as? String ?? "?")" }.joined() }
    return switch change {
    case .insert: "insert \(key)"
    case .update: "update \(key)"
    case .delete(let delete): "delete \(key)\(kept(delete))"
    }
  }

  @Test func `a row that is replaced by another with its unique value is deleted, with what is kept of it`() throws {
    try other.execute("INSERT INTO Part (_pk, code, serial) VALUES (1, 'A''', 1), (2, 'B', 2), (3, 'C', 3)")
    #expect(try noted(by: "INSERT OR REPLACE INTO Part (code) VALUES ('A''')") == ["delete 1 A'", "insert 4"])
    #expect(
      try noted(by: "REPLACE INTO Part (code, serial) VALUES ('B', 3)") == ["delete 2 B", "delete 3 C", "insert 5"])
    #expect(
      try noted(by: "UPDATE OR REPLACE Part SET code = 'A''' WHERE _pk = 5").sorted() == ["delete 4 A'", "update 5"])
  }

  @Test func `a row that is replaced by its own key is deleted and inserted`() throws {
    try other.execute("INSERT INTO Part (_pk, code) VALUES (1, 'A'), (2, 'B')")
    #expect(try noted(by: "REPLACE INTO Part (_pk, code) VALUES (1, 'A')") == ["delete 1 A", "insert 1"])
    #expect(try noted(by: "REPLACE INTO Part (_pk, code) VALUES (1, 'B')") == ["delete 1 A", "delete 2 B", "insert 1"])
    try other.execute("INSERT INTO Part (_pk, code) VALUES (2, 'C')")
    #expect(
      try noted(by: "UPDATE OR REPLACE Part SET _pk = 2 WHERE _pk = 1") == ["delete 2 C", "delete 1 B", "insert 2"])
  }

  @Test func `what is not replaced in the end is not deleted`() throws {
    try other.execute("INSERT INTO Part (_pk, code) VALUES (1, 'A'), (2, 'B')")
    #expect(try noted(by: "INSERT OR IGNORE INTO Part (code) VALUES ('A'), (NULL)") == ["insert 3"])
    #expect(try noted(by: "INSERT OR IGNORE INTO Part (code) VALUES ('A')") == [])
    #expect(
      try noted(by: "INSERT INTO Part (code) VALUES ('A') ON CONFLICT (code) DO UPDATE SET serial = 1") == ["update 1"])
    #expect(try noted(by: "UPDATE OR IGNORE Part SET code = 'A' WHERE _pk > 1") == [])
    #expect(throws: DatabaseError.self) { try other.execute("INSERT OR FAIL INTO Part (code) VALUES ('B')") }
    #expect(try noted(by: "DELETE FROM Part WHERE _pk < 3; INSERT INTO Part (code) VALUES ('A')").count == 3)
    // What this program deletes is noted elsewhere than what triggers note.
    #expect(try noted(by: "INSERT OR IGNORE INTO Part (code) VALUES ('A')") == [])
    #expect(try noted(by: "UPDATE OR IGNORE Part SET code = 'A' WHERE _pk = 3") == [])
    try context.delete(model: Part.self, where: #Predicate { $0.code == "A" })
    try context.save()
    #expect(try noted(by: "UPDATE Part SET code = 'D'") == ["update 3"])
    #expect(try noted(by: "INSERT INTO Part (_pk, code) VALUES (9, 'E')") == ["insert 9"])
  }

  @Test func `NULL is unique`() throws {
    try other.execute("INSERT INTO Part (code, maker, name) VALUES (NULL, 1, NULL)")
    #expect(try noted(by: "REPLACE INTO Part (code, maker, name) VALUES (NULL, 1, NULL)") == ["insert 2"])
  }

  @Test func `a program with recursive triggers has a deletion noted once`() throws {
    try other.execute("PRAGMA recursive_triggers = 1; INSERT INTO Part (_pk, code) VALUES (1, 'A'), (2, 'B')")
    #expect(try noted(by: "REPLACE INTO Part (code) VALUES ('A')").sorted() == ["delete 1 A", "insert 3"])
    #expect(
      try noted(by: "UPDATE OR REPLACE Part SET code = 'A' WHERE _pk = 2").sorted() == ["delete 3 A", "update 2"])
  }

  @Test func `a unique constraint of a subclass, and one of a part of a value, replace rows too`() throws {
    try other.execute(
      """
      INSERT INTO Part (_pk, _type, maker, size) VALUES (1, 'Part', 1, NULL), (2, 'Spare', 1, '{"width":7}')
      """)
    #expect(try noted(by: "REPLACE INTO Part (_type, maker) VALUES ('Part', 1)") == ["insert 3"])
    #expect(try noted(by: "REPLACE INTO Part (_type, maker) VALUES ('Spare', 1)") == ["delete 2", "insert 4"])
    #expect(try noted(by: "UPDATE OR REPLACE Part SET _type = 'Spare' WHERE _pk = 1").contains("delete 4"))
  }

  @Test func `an index of another program's replaces rows as it compares them`() throws {
    try other.execute("CREATE UNIQUE INDEX theirs ON PlainPart (name COLLATE NOCASE)")
    context.insert(PlainPart(name: "a"))
    try context.save()
    let token = try #require(try transactions(after: nil).last?.token)
    try container.close()
    let later = ModelContext(
      try ModelContainer(
        for: Part.self, Spare.self, PlainPart.self, configurations: ModelConfiguration(url: folder.store)))
    try other.execute("REPLACE INTO PlainPart (_pk, name) VALUES (7, 'A')")
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
    #expect(try later.fetchHistory(descriptor).flatMap(\.changes).map(word) == ["delete 1", "insert 7"])
  }

  @Test func `what is in the way is found by indexes`() throws {
    for event in ["before_insert", "before_update"] {
      let trigger = try #require(
        try other.strings("SELECT sql FROM sqlite_schema WHERE name = '_roost_history_\(event)_Part'").first)
      let query = try #require(trigger.split(separator: "INSERT INTO _roost_replaced").last)
      let start = try #require(query.range(of: "SELECT")?.lowerBound)
      // Any values in the place of the new row's.
      let text = query[start...].dropLast("; END".count).replacing(/"?(NEW|OLD)"?\."\w+"/, with: "?")
      let plan = try other.statement("EXPLAIN QUERY PLAN \(text)")
      defer { plan.reset() }
      var steps: [String] = []
      while try plan.step() { steps.append(plan.string(3)) }
      #expect(steps.contains("MULTI-INDEX OR") && !steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP") })
    }
  }

  @Test func `a table without unique constraints has the triggers that it had`() throws {
    let names = try other.strings(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'PlainPart' ORDER BY name")
    #expect(names == ["delete", "insert", "key", "update"].map { "_roost_history_\($0)_PlainPart" })
  }

  @Test func `history tells which rows there are, whatever is replaced by whom`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    var (token, rows): (DefaultHistoryToken?, Set<Int64>) = (nil, [])
    // What is kept of each row, as it was before the statement.
    var kept: [Int64: String] = [:]
    var deletions = 0
    for step in 0..<600 {
      let statement = statement(&random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let store = container.store
        try store.pool.write { connection in
          try connection.transaction(.immediate) {
            _ = try store.recording(by: HistoryAuthor(), isHeard: false, connection) {
              try? connection.execute(statement)
            }
          }
        }
      case 1:
        try context.delete(model: Part.self, where: #Predicate { $0.serial == 1 })
        try context.save()
      default:
        let flags = (Bool.random(using: &random) ? 1 : 0, Bool.random(using: &random) ? 1 : 0)
        try other.execute("PRAGMA recursive_triggers = \(flags.0); PRAGMA foreign_keys = \(flags.1)")
        _ = try? other.execute(statement)
      }
      if step == 300 {
        // From here on triggers note what this program does, too.
        try other.execute("CREATE TRIGGER theirs AFTER INSERT ON PlainPart BEGIN SELECT 1; END")
      }
      for transaction in try transactions(after: token) {
        token = transaction.token
        for change in transaction.changes {
          let key = change.changedPersistentIdentifier.key
          let isAsExpected =
            switch change {
            case .insert: kept.removeValue(forKey: key) == nil && rows.insert(key).inserted
            case .update: rows.contains(key)
            case .delete:
              rows.remove(key) != nil
                && kept.removeValue(forKey: key).map { word(change) == "delete \(key)\($0)" } ?? true
            }
          if case .delete = change { deletions += 1 }
          if !isAsExpected {
            Issue.record("seed \(seed), step \(step): \(statement), \(transaction.changes.map(word))")
            return
          }
        }
      }
      let stored = try context.rows(sql: "SELECT _pk FROM Part", as: Int64.self)
      if rows != Set(stored) {
        Issue.record("seed \(seed), step \(step): \(statement) left \(stored.sorted()), history \(rows.sorted())")
        return
      }
      for key in stored { kept[key] = "" }
      for row in try context.rows(sql: "SELECT _pk || ' ' || code FROM Part WHERE code IS NOT NULL", as: String.self) {
        kept[Int64(row.prefix { $0 != " " }) ?? 0] = String(row.drop { $0 != " " })
      }
    }
    #expect(deletions > 100)
  }

  /// One statement that may meet rows, which changes the code of no row that it may also replace.
  private func statement(_ random: inout SeededRandom) -> String {
    let way = ["", "OR REPLACE", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ABORT"].randomElement(using: &random) ?? ""
    func number(_ count: Int) -> String {
      let number = Int.random(in: 0...count, using: &random)
      return number == 0 ? "NULL" : "\(number)"
    }
    func values() -> String {
      let key = Bool.random(using: &random) ? "NULL" : "\(Int.random(in: 1..<20, using: &random))"
      let code = ["NULL", "'A'", "'B'", "'C'", "'D'"].randomElement(using: &random) ?? ""
      let type = Bool.random(using: &random) ? "Part" : "Spare"
      let size = type == "Spare" && Bool.random(using: &random) ? "'{\"width\":\(number(2))}'" : "NULL"
      return "(\(key), '\(type)', \(code), \(number(4)), \(number(2)), \(number(2)), \(size))"
    }
    let columns = "(_pk, _type, code, serial, maker, name, size)"
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "DELETE FROM Part WHERE maker = \(number(2)) OR name IS NULL"
    case 1: return "UPDATE \(way) Part SET serial = \(number(4)) WHERE _pk % 3 = 0"
    case 2: return "UPDATE \(way) Part SET maker = \(number(2)), name = \(number(2)) WHERE _pk % 2 = 0"
    case 3: return "UPDATE \(way) Part SET _pk = \(Int.random(in: 1..<20, using: &random)) WHERE maker = \(number(2))"
    case 4:
      return "INSERT INTO Part \(columns) VALUES \(values()) ON CONFLICT (serial) DO UPDATE SET maker = \(number(2))"
    default: return "INSERT \(way) INTO Part \(columns) VALUES \(values())"
    }
  }
}
