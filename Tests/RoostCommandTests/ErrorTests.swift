import EncryptionSupport
import Foundation
import Roost
import RoostEngine
import Testing

@testable import RoostCommand

/// What is no store gives an error with the file's name and what to do, and is left alone.
@Suite(.plainFiles) struct ErrorTests {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  enum Bad: String, CaseIterable {
    case missing, empty, text, folder, short, others, tableless, unreadableDefinition, newerFormat

    func make(_ fixture: Fixture) throws {
      let url = fixture.store
      switch self {
      case .missing: break
      case .empty: try Data().write(to: url)
      case .text: try Data("Buy milk.\n".utf8).write(to: url)
      case .folder: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      case .short: try Data("SQLite format 3\0".utf8).write(to: url)
      case .others: try fixture.execute("PRAGMA journal_mode=DELETE; CREATE TABLE mine (a)")
      case .tableless: try fixture.execute("PRAGMA journal_mode=WAL; PRAGMA user_version=1")
      case .unreadableDefinition:
        try fixture.make(V1.Task.self)
        try fixture.execute("UPDATE _roost_entity SET definition = '{'")
      case .newerFormat:
        try fixture.make(V1.Task.self)
        try fixture.execute("UPDATE _roost_meta SET value = '2' WHERE key = 'format'")
      }
    }
  }

  @Test(arguments: Bad.allCases)
  func `a file that is no store is an error, and stays as it was`(_ bad: Bad) throws {
    try bad.make(fixture)
    let path = fixture.store.path
    let good = fixture.file("good.store")
    try fixture.make(V1.Task.self, at: good)
    let before = try fixture.contents()
    for arguments in [
      ["schema", path], ["schema", path, "--json"], ["diff", path, good.path], ["diff", good.path, path],
      ["check", path, "--against", good.path], ["check", good.path, "--against", path], ["verify", path],
      ["backup", path], ["restore", good.path, "--from", path, "--yes"],
    ] {
      let run = Run(arguments)
      #expect(run.code == 2, "\(arguments) \(run)")
      #expect(run.complaint.hasPrefix("roost: ") && run.complaint.contains(path), "\(arguments) \(run)")
      #expect(run.complaint.split(separator: "\n").count >= 3, "\(arguments) \(run)")
    }
    #expect(try fixture.contents() == before)
  }

  #if !os(Windows)
    @Test(.enabled(if: geteuid() != 0)) func `a file without permission is an error`() throws {
      try fixture.make(V1.Task.self)
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: fixture.store.path)
      let run = Run("verify", fixture.store.path)
      #expect(run.code == 2 && run.complaint.contains("Allow this user to read it."))
    }
  #endif

  @Test func `a mistake in the arguments is an error, and help is none`() {
    #expect(Run("nonsense").code == 2)
    #expect(Run("check", "a.store").complaint.contains("--against"))
    #expect(Run("--help").code == 0)
    #expect(Run("help", "check").output.contains("What is not looked at"))
    #expect(Run().output.contains("SUBCOMMANDS"))
  }
}
