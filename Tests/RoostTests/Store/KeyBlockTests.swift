import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostTesting
import Testing

@Model private final class Ticket {
  var text: String
  init(text: String = "") { self.text = text }
}

/// The keys that a store takes for rows to come.
@Suite struct KeyBlockTests {
  private let folder: TemporaryFolder
  private let recorder = StatementRecorder()

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> ModelContainer {
    try ModelContainer(
      for: Ticket.self, configurations: ModelConfiguration(url: folder.store).recording(to: recorder))
  }

  private func keys(_ container: ModelContainer) throws -> [Int64] {
    try container.store.pool.read { connection in
      let statement = try connection.statement("SELECT _pk FROM Ticket ORDER BY _pk")
      return try statement.keys()
    }
  }

  private func save(_ count: Int, in container: ModelContainer) throws {
    let context = ModelContext(container)
    for _ in 0..<count {
      context.insert(Ticket())
      try context.save()
    }
  }

  @Test func `saves of one row give keys without gaps, and seldom write the last one`() throws {
    let container = try open()
    let statements = try recorder.statements { try save(200, in: container) }
    #expect(try keys(container) == Array(1...200))
    // 0, 1, 2, 4 … 64 keys ahead at a time, then 64 each.
    #expect(statements.count { $0.contains("SET last_key") } <= 11)
  }

  @Test func `a store that was closed goes on with the next key`() throws {
    var container = try open()
    try save(40, in: container)
    try container.close()
    container = try open()
    try save(3, in: container)
    #expect(try keys(container) == Array(1...43))
  }

  @Test func `no key is given twice, whoever else writes and whatever is deleted`() throws {
    // The second opens the file as after a crash of the first, which has taken a block.
    let (first, second) = (try open(), try open())
    var given: [Int64] = []
    for round in 0..<60 {
      let container = round % 3 == 1 ? second : first
      try save(1 + round % 4, in: container)
      given += try keys(container)
      try container.store.pool.write { try $0.execute("DELETE FROM Ticket") }
      if round == 30 {
        try container.store.pool.write { try $0.execute("INSERT INTO Ticket (_pk, text) VALUES (1000, '')") }
      }
    }
    #expect(Set(given).count == given.count)
    #expect(given == given.sorted())
    #expect(given.count >= 60)
  }

  @Test func `a save that fails gives its keys to the next`() throws {
    let container = try open()
    try save(5, in: container)
    try container.store.pool.write {
      try $0.execute(
        "CREATE TRIGGER no BEFORE INSERT ON Ticket WHEN NEW.text = 'no' BEGIN SELECT raise(ABORT, 'no'); END")
    }
    let context = ModelContext(container)
    context.insert(Ticket())
    let refused = Ticket(text: "no")
    context.insert(refused)
    #expect(throws: SwiftDataError.self) { try context.save() }
    refused.text = "yes"
    try context.save()
    #expect(try keys(container) == Array(1...7))
  }
}
