import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import Testing

@testable import RoostCommand

/// What `check` says is what a program does.
@Suite(.plainFiles) struct CheckCommandTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.make(V1.Task.self) { context in
      let task = V1.Task("a", note: "n")
      task.tags = [V1.Tag("x")]
      context.insert(task)
      context.insert(V1.Task("a"))
    }
  }

  private func check(_ json: String, _ more: String...) -> Run {
    Run(["check", fixture.store.path, "--against", json] + more)
  }

  @Test func `a store with the program's schema is opened as it is, and check changes nothing`() throws {
    let json = try fixture.save(V1.Task.self, as: "schema.json")
    let before = try fixture.contents()
    let run = check(json)
    #expect(run.code == 0)
    #expect(run.output == "A program with this schema opens the store as it is.")
    #expect(try fixture.contents() == before)
  }

  @Test func `check says what an inferred migration does to the tables`() throws {
    let json = try fixture.save(Inferred.Task.self, Inferred.Draft.self, as: "schema.json")
    let before = try fixture.contents()
    let run = check(json)
    #expect(run.code == 0)
    #expect(
      run.output == """
        A program with this schema migrates the store by itself. What is different:
          Draft: added
          Label: was Tag
          Label.text: added
          Label.key: added
          Label.name: removed
          Label.tasks: changed
          Label: unique constraints changed
          Task.words: added
          Task.tags: was to-many Tag, is to-many Label
        What the migration does:
          Draft: a new table
          Label, which was Tag: copied into a new table, 1 row
          Task: altered in place: column words added
          Label_tasks, which was Tag_tasks: copied into a new table, 1 row
          Label_key_unique: a new index
          Label_tasks_tasks_index: a new index
          Tag_tasks_tasks_index: an index that is dropped
        """)
    #expect(try fixture.contents() == before)
    try fixture.make(Inferred.Task.self, Inferred.Draft.self) { context in
      let words = try context.fetch(FetchDescriptor<Inferred.Task>()).map(\.words)
      #expect(words == [7, 7])
    }
  }

  @Test func `check finds the obstacles that the program finds`() throws {
    let json = try fixture.save(Refused.Task.self, as: "schema.json")
    let run = check(json, "--refuse-drops")
    var found: [MigrationObstacle] = []
    do {
      var configuration = ModelConfiguration(url: fixture.store)
      configuration.storeOptions.migration.drops = .refuse
      _ = try ModelContainer(for: Refused.Task.self, configurations: configuration)
      Issue.record("The program opens the store.")
    } catch let error as SwiftDataError {
      found = error.obstacles
    }
    #expect(run.code == 1)
    #expect(found.count == 7)
    let text = try #require(run.output.split(separator: "What is in the way:\n").last)
    // Whoever runs the command sees the values, too.
    for obstacle in found {
      #expect(text.contains(obstacle.message))
      #expect(text.contains(obstacle.remedy.replacing("\n", with: "\n      ")))
    }
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.count == found.count)
    #expect(text.contains("2 rows are in the way, such as row 1 (5)."))
  }

  @Test func `what is dropped is listed, unless the program names it, and an obstacle where it refuses`() throws {
    let json = try fixture.save(Smaller.Task.self, as: "schema.json")
    let before = try fixture.contents()
    let change = "What the migration does:\n  Task: copied into a new table, 2 rows"
    let run = check(json)
    #expect(run.code == 0)
    #expect(
      run.output.hasSuffix(
        change + "\nWhat is dropped, and only in the backup then, which is kept:\n  Task.note: 1 row"))
    let refused = check(json, "--refuse-drops")
    #expect(refused.code == 1)
    #expect(refused.output.contains("mayDrop = [\"Task.note\"]"))
    let named = check(json, "--refuse-drops", "--may-drop", "Task.note")
    #expect(named.code == 0)
    #expect(named.output.hasSuffix(change))
    #expect(try fixture.contents() == before)
  }

  @Test func `an older program than the store's is told as such`() throws {
    let json = try fixture.save(V1.Task.self, as: "schema.json")
    try fixture.make(Inferred.Task.self, Inferred.Draft.self) { $0.insert(Inferred.Draft()) }
    let run = check(json)
    #expect(run.code == 1)
    #expect(run.output.hasPrefix("The store had this schema before a newer program changed it."))
    #expect(throws: SwiftDataError.backwardMigration) { try fixture.make(V1.Task.self) }
    #expect(check(json, "--may-drop", "Draft", "--may-drop", "Task.words", "--may-drop", "Label.key").code == 0)
  }

  @Test func `a store without the values of defaults serves as a schema`() throws {
    let other = fixture.file("other.store")
    try fixture.make(Inferred.Task.self, Inferred.Draft.self, at: other)
    let run = check(other.path)
    #expect(run.code == 0)
    #expect(run.output.contains("  Task: copied into a new table, 2 rows\n"))
    #expect(run.output.contains("The schema does not have the values of defaults"))
  }

  @Test func `a schema that contradicts itself is an error`() throws {
    let json = try fixture.save(Wide.Car.self, as: "schema.json")
    let text = try String(contentsOf: URL(filePath: json), encoding: .utf8)
    try text.replacing("\"superentity\" : \"Vehicle\"", with: "\"superentity\" : \"Car\"")
      .write(to: URL(filePath: json), atomically: true, encoding: .utf8)
    let run = check(json)
    #expect(run.code == 2)
    #expect(run.complaint.contains("inherits from itself"))
  }
}
