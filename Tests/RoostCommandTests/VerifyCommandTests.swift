import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostEngine
import Testing

@testable import RoostCommand

@Suite(.plainFiles) struct VerifyCommandTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.make(Wide.Note.self, Wide.Car.self) { context in
      let note = Wide.Note("a", image: Data(repeating: 1, count: 200))
      note.parts = [Wide.Part("p")]
      note.tags = [Wide.Tag("Rome")]
      note.small = 3
      context.insert(note)
      context.insert(Wide.Car(plate: "x"))
      context.insert(Wide.Vehicle(wheels: 2))
    }
  }

  private func verify() -> Run { Run("verify", fixture.store.path) }

  /// The findings, without what follows them.
  private func findings() -> [String] { Array(verify().output.split(separator: "\n").map(String.init).dropLast()) }

  @Test func `a store as Roost makes it is sound, and verify changes nothing`() throws {
    let before = try fixture.contents()
    #expect(verify().output == "notes.store is sound.")
    #expect(verify().code == 0)
    #expect(try fixture.contents() == before)
  }

  @Test(arguments: [
    ("UPDATE Part SET note = 77", "problem: Part.note: 1 row refers to rows of Note that are not there, such as row 1"),
    ("UPDATE Note SET place = '{'", "problem: Note.place: 1 row has no JSON, such as row 1"),
    ("UPDATE Note SET small = 256", "problem: Note.small: 1 row has a number beyond UInt8, such as row 1"),
    ("UPDATE Note SET key = x'00'", "problem: Note.key: 1 row has no UUID, such as row 1"),
    (
      "UPDATE Vehicle SET _type = 'Boat' WHERE _type = 'Vehicle'", "problem: Vehicle: 1 row has a type that is no model"
    ),
    ("UPDATE Vehicle SET plate = NULL", "problem: Car.plate: 1 row has nothing, which it must have"),
    ("DROP TABLE Note_tags", "problem: Note_tags: the table of a relationship is missing"),
    ("DROP TABLE Part", "problem: Part: the table is missing"),
    ("DROP INDEX Note_key_unique", "problem: Note_key_unique: the index is missing, so that nothing keeps"),
    ("DROP INDEX Note_date_index", "remark: Note_date_index: the index is missing; queries are slow until"),
    ("ALTER TABLE Vehicle RENAME COLUMN wheels TO feet", "problem: Vehicle.wheels: the column is missing"),
    ("ALTER TABLE Vehicle ADD COLUMN feet TEXT", "remark: Vehicle.feet: a column that is none of Roost's"),
    ("DROP TRIGGER Note_title_words_insert", "remark: Note_title_words: parts of the full-text index are missing"),
    ("CREATE TABLE Other (a)", "remark: Other: a table that is none of Roost's"),
  ])
  func `verify finds what another program did`(_ sql: String, _ finding: String) throws {
    if sql.hasPrefix("DROP TRIGGER") {
      let name = try #require(try strings("SELECT name FROM sqlite_schema WHERE type = 'trigger'").first)
      try fixture.execute("DROP TRIGGER \"\(name)\"")
    } else {
      try fixture.execute(sql)
    }
    let (run, lines) = (verify(), findings())
    #expect(lines.contains { $0.hasPrefix(finding) }, "\(run.output)")
    #expect(run.code == (lines.contains { $0.hasPrefix("problem: ") } ? 1 : 0))
  }

  @Test func `a store is found whatever its path looks like`() throws {
    let url = fixture.file("n ä?#%20&=.store")
    try fixture.make(V1.Task.self, at: url)
    #expect(Run("verify", url.path).output == "\(url.lastPathComponent) is sound.")
  }

  private func strings(_ sql: String) throws -> [String] {
    let connection = try Connection(ConnectionOptions(location: .file(path: fixture.store.path)))
    defer { connection.close() }
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.string(0)) }
    return names
  }

  private func overwrite(from offset: UInt64) throws {
    let handle = try FileHandle(forWritingTo: fixture.store)
    defer { try? handle.close() }
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(repeating: 0xAB, count: 4096))
  }

  @Test func `values without files and files without values are found`() throws {
    let folder = fixture.file("notes.store-files")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let surplus = folder.appending(path: UUID().uuidString)
    try FileManager.default.moveItem(at: folder.appending(path: name), to: surplus)
    let lines = findings()
    #expect(lines.first == "problem: Note.image: 1 value has lost its file, such as notes.store-files/\(name)")
    #expect(lines.last?.hasPrefix("remark: notes.store-files: 1 file that no row names (200 bytes)") == true)
    #expect(lines.count == 2)
  }

  @Test func `damage is found, and what cannot be read at all is an error`() throws {
    let root = try #require(try strings("SELECT rootpage FROM sqlite_schema WHERE name = 'Vehicle'").first)
    try overwrite(from: (try #require(UInt64(root)) - 1) * 4096)
    let run = verify()
    #expect(run.code == 1)
    #expect(run.output.contains("problem: damage: "))
    #expect(run.output.contains("roost backups"))
    try overwrite(from: 100)
    let error = verify()
    #expect(error.code == 2)
    #expect(error.complaint.contains("The file is damaged"))
  }
}
