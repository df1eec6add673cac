import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import Testing

@testable import RoostCommand

@Suite(.plainFiles) struct BackupCommandTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.make(Wide.Note.self) { $0.insert(Wide.Note("a", image: Data(repeating: 1, count: 200))) }
  }

  private func titles(_ url: URL) throws -> [String] {
    var titles: [String] = []
    try fixture.make(Wide.Note.self, at: url) { context in
      let notes = try context.fetch(FetchDescriptor<Wide.Note>())
      #expect(notes.allSatisfy { $0.image?.count == 200 })
      titles = notes.map(\.title).sorted()
    }
    return titles
  }

  @Test func `a copy is whole, is listed, and is restored`() throws {
    let before = try fixture.contents()
    let backup = Run("backup", fixture.store.path)
    #expect(backup.code == 0)
    let copy = URL(filePath: backup.output)
    #expect(copy.lastPathComponent.hasPrefix("notes.store.copy-"))
    let after = try fixture.contents()
    for (name, data) in before { #expect(after[name] == data, "\(name)") }
    #expect(!after.keys.contains { $0.hasSuffix(".partial") })
    let list = Run("backups", fixture.store.path)
    #expect(list.output.contains("copy") && list.output.hasSuffix(copy.path))
    // The program does not take it for a migration's, which it would remove.
    try fixture.make(Wide.Note.self) { context in
      try context.delete(model: Wide.Note.self)
      context.insert(Wide.Note("b", image: Data(repeating: 2, count: 200)))
    }
    #expect(FileManager.default.fileExists(atPath: copy.path))
    #expect(Run("restore", fixture.store.path, "--from", copy.path, "--yes").code == 0)
    #expect(try titles(fixture.store) == ["a"])
    #expect(try titles(copy) == ["a"])
  }

  @Test func `restore asks, and does nothing when nobody agrees`() throws {
    let copy = fixture.file("copy.store").path
    #expect(Run("backup", fixture.store.path, "--to", copy).output == copy)
    try fixture.make(Wide.Note.self) { $0.insert(Wide.Note("b", image: Data(repeating: 2, count: 200))) }
    let refused = Run("restore", fixture.store.path, "--from", copy)
    #expect(refused.code == 2 && refused.complaint.contains("Say --yes."))
    let declined = Run("restore", fixture.store.path, "--from", copy, answer: "n")
    #expect(declined.code == 1 && declined.output.hasSuffix("Nothing was changed."))
    #expect(declined.output.contains("is replaced, with the 1 row of copy.store. Go on? [y/N]"))
    #expect(try titles(fixture.store) == ["a", "b"])
    #expect(Run("restore", fixture.store.path, "--from", copy, answer: "y").code == 0)
    #expect(try titles(fixture.store) == ["a"])
  }

  @Test func `a copy replaces nothing`() throws {
    let other = fixture.file("other")
    try Data("mine".utf8).write(to: other)
    let run = Run("backup", fixture.store.path, "--to", other.path)
    #expect(run.code == 2 && run.complaint.contains("There is a file already."))
    #expect(try Data(contentsOf: other) == Data("mine".utf8))
    let nowhere = Run("backup", fixture.store.path, "--to", fixture.file("no/where").path)
    #expect(nowhere.code == 2 && nowhere.complaint.contains("There is no such folder."))
  }

  @Test func `restore does not replace another program's database`() throws {
    let copy = fixture.file("copy.store").path
    #expect(Run("backup", fixture.store.path, "--to", copy).code == 0)
    let other = fixture.file("other.db")
    let connection = try Connection(ConnectionOptions(location: .file(path: other.path)))
    try connection.execute("CREATE TABLE mine (a)")
    connection.close()
    let run = Run("restore", other.path, "--from", copy, "--yes")
    #expect(run.code == 2 && run.complaint.contains("another program"))
  }

  @Test func `a store that is gone is made anew`() throws {
    let copy = fixture.file("copy.store").path
    #expect(Run("backup", fixture.store.path, "--to", copy).code == 0)
    let new = fixture.file("new.store")
    #expect(Run("restore", new.path, "--from", copy, answer: "yes").output.contains("is made"))
    #expect(try titles(new) == ["a"])
  }

  @Test func `a value without its file keeps a copy from being made`() throws {
    try FileManager.default.removeItem(at: fixture.file("notes.store-files"))
    let run = Run("backup", fixture.store.path)
    #expect(run.code == 2 && run.complaint.contains("roost verify says which"))
    #expect(try fixture.contents().keys.filter { $0.contains("copy") } == [])
  }
}
