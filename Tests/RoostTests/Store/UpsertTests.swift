import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostTesting
import Testing

@Model private final class Shelf {
  @Relationship(inverse: \Jar.shelf) var jars: [Jar] = []
  init() {}
}

@Model private final class Jar {
  @Attribute(.unique) var label: String
  var amount: Int
  var shelf: Shelf?

  init(label: String, amount: Int, shelf: Shelf? = nil) {
    self.label = label
    self.amount = amount
    self.shelf = shelf
  }
}

@Model private final class BadgeKeeper {
  @Relationship(deleteRule: .cascade, inverse: \KeptBadge.owner) var badges: [KeptBadge] = []
  init() {}
}

@Model private final class KeptBadge {
  @Attribute(.unique) var number: Int
  var text: String
  var owner: BadgeKeeper

  init(number: Int, text: String, owner: BadgeKeeper) {
    self.number = number
    self.text = text
    self.owner = owner
  }
}

@Model private final class Seat {
  @Attribute(.unique) var row: Int
  @Attribute(.unique) var name: String

  init(row: Int, name: String) {
    self.row = row
    self.name = name
  }
}

/// New models with the unique values of rows, where SQLite finds the row while it inserts.
@Suite struct UpsertTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Shelf.self, BadgeKeeper.self, Seat.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    context = ModelContext(container)
  }

  private func jars(_ context: ModelContext? = nil) throws -> [String] {
    try (context ?? ModelContext(container)).fetch(FetchDescriptor<Jar>(sortBy: [SortDescriptor(\.label)]))
      .map { "\($0.label) \($0.amount)\($0.shelf == nil ? "" : " on a shelf")" }
  }

  @Test func `a row is inserted or updated in one statement`() throws {
    for number in 0..<10 { context.insert(Jar(label: "\(number)", amount: 0)) }
    try context.save()
    for number in 5..<15 { context.insert(Jar(label: "\(number)", amount: 1)) }
    let statements = try recorder.statements { try context.save() }
    #expect(statements.count { $0.contains("\"Jar\"") && $0.hasPrefix("INSERT") } == 10)
    #expect(statements.count { $0.contains("\"Jar\"") && !$0.hasPrefix("INSERT") } == 0, "\(statements)")
    #expect(try jars().count == 15)
    #expect(try jars().count { $0.hasSuffix(" 1") } == 10)
  }

  @Test func `what the new model does not refer to stays, and what it refers to comes`() throws {
    let shelf = Shelf()
    context.insert(Jar(label: "a", amount: 1, shelf: shelf))
    context.insert(Jar(label: "b", amount: 1))
    try context.save()
    let other = ModelContext(container)
    other.insert(Jar(label: "a", amount: 2))
    other.insert(Jar(label: "b", amount: 2, shelf: Shelf()))
    try other.save()
    #expect(try jars() == ["a 2 on a shelf", "b 2 on a shelf"])
    #expect(try jars(other) == ["a 2 on a shelf", "b 2 on a shelf"])
    #expect(try jars(context) == ["a 2 on a shelf", "b 2 on a shelf"])
    #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 2)
  }

  @Test func `two new models with one value become one row, the last one's`() throws {
    context.insert(Jar(label: "a", amount: 1, shelf: Shelf()))
    context.insert(Jar(label: "a", amount: 2))
    try context.save()
    #expect(try jars() == ["a 2 on a shelf"])
    #expect(try jars(context) == ["a 2 on a shelf"])
  }

  @Test func `the model stands for the row that it became the update of`() throws {
    context.insert(Jar(label: "a", amount: 1))
    try context.save()
    let other = ModelContext(container)
    let jar = Jar(label: "a", amount: 2)
    other.insert(jar)
    try other.save()
    #expect(try other.fetchIdentifiers(FetchDescriptor<Jar>()) == [jar.persistentModelID])
    jar.amount = 3
    try other.save()
    #expect(try jars() == ["a 3"])
  }

  @Test func `without the index, which another program dropped, rows are found all the same`() throws {
    context.insert(Jar(label: "a", amount: 1))
    try context.save()
    try container.store.pool.write { connection in
      let names = try connection.strings(
        "SELECT name FROM sqlite_schema WHERE tbl_name = 'Jar' AND sql LIKE '%UNIQUE%'")
      #expect(names.count == 1)
      for name in names { try connection.execute("DROP INDEX \"\(name)\"") }
    }
    let other = ModelContext(container)
    other.insert(Jar(label: "a", amount: 2))
    other.insert(Jar(label: "b", amount: 2))
    try other.save()
    #expect(try jars() == ["a 2", "b 2"])
  }

  @Test func `rows exchange unique values though another program dropped another index`() throws {
    let (first, second) = (Seat(row: 1, name: "a"), Seat(row: 2, name: "b"))
    context.insert(first)
    context.insert(second)
    try context.save()
    try container.store.pool.write { try $0.execute("DROP INDEX Seat_name_unique") }
    (first.row, second.row) = (2, 1)
    try context.save()
    func seats() throws -> [String] {
      try ModelContext(container).fetch(FetchDescriptor<Seat>(sortBy: [SortDescriptor(\.row)]))
        .map { "\($0.row) \($0.name)" }
    }
    #expect(try seats() == ["1 b", "2 a"])
    first.row = 1
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(try seats() == ["1 b", "2 a"])
  }

  @Test func `a row keeps a required relationship, or gets the new model's`() throws {
    let owner = BadgeKeeper()
    context.insert(KeptBadge(number: 1, text: "a", owner: owner))
    try context.save()
    let other = ModelContext(container)
    other.insert(KeptBadge(number: 1, text: "b", owner: BadgeKeeper()))
    try other.save()
    let badges = try ModelContext(container).fetch(FetchDescriptor<KeptBadge>())
    #expect(badges.map(\.text) == ["b"])
    #expect(badges.first?.owner.persistentModelID != owner.persistentModelID)
  }

  @Test func `a failed save leaves the rows as they were`() throws {
    context.insert(Jar(label: "a", amount: 1))
    try context.save()
    try container.store.pool.write {
      try $0.execute("CREATE TRIGGER no BEFORE UPDATE ON Jar WHEN NEW.amount = 3 BEGIN SELECT raise(ABORT, 'no'); END")
    }
    let other = ModelContext(container)
    other.insert(Jar(label: "b", amount: 2))
    other.insert(Jar(label: "a", amount: 3))
    #expect(throws: SwiftDataError.self) { try other.save() }
    #expect(try jars() == ["a 1"])
    #expect(other.hasChanges)
  }
}
