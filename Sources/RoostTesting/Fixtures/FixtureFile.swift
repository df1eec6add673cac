import Foundation
import RoostCore
import RoostEngine
import RoostMigration

/// The file of one fixture. It is only ever read, and used as a copy: SQLite writes beside what it opens.
struct FixtureFile {
  static let suffix = ".store"
  private static let valuesSuffix = "-files"

  let url: URL

  init(_ version: PlannedVersion, in folder: URL) { url = folder.appending(path: "\(version.number)\(Self.suffix)") }

  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  // MARK: - Copies

  /// Gives `body` a folder that is gone afterwards.
  static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "roost-fixture-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Has the store and the files of its values in another place, too.
  func copy(to store: URL) throws { try Self.copy(url, to: store) }

  /// Puts a new store in the fixture's place.
  func write(_ store: URL) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Self.copy(store, to: url)
  }

  /// The values' files come first: a fixture without them would pass for a whole one. A copy of what may
  /// only be read can be written to.
  private static func copy(_ source: URL, to target: URL) throws {
    let (values, copies) = (source.path + valuesSuffix, target.path + valuesSuffix)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: values)) ?? [] {
      try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
      try Data(contentsOf: URL(filePath: values).appending(path: name)).write(
        to: URL(filePath: copies).appending(path: name))
    }
    try Data(contentsOf: source).write(to: target, options: .atomic)
  }

  /// Makes a closed store as small as it can be: repositories keep it for good.
  static func compact(_ store: URL) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: store.path), makesWriteAheadLog: false))
    defer { connection.close() }
    try connection.endWriteAheadLog()
    try connection.execute("PRAGMA page_size=512; VACUUM")
  }

  // MARK: - What it is

  /// Why the fixture is none of a version's stores; nil when it is one.
  func problem(_ version: PlannedVersion) -> MigrationFixtureError.Problem? {
    do {
      let differences = version.definition.changes(since: try StoreFile.read(url) { $0.definition })
      if differences.isEmpty { return nil }
      return MigrationFixtureError.Problem(
        fixture: "\(version.number)",
        message: "\(version.name) is not what it was when its fixture was recorded:\n  "
          + differences.joined(separator: "\n  "),
        remedy: "If it has shipped, stores have the old schema: take the change back, and make a new version of it.\n"
          + "If it has not, delete \(url.lastPathComponent) and record it again.")
    } catch {
      return MigrationFixtureError.Problem(
        fixture: "\(version.number)", message: "The fixture cannot be read. \(error)",
        remedy: "Restore \(url.path) from the repository.")
    }
  }

  func missing(_ version: PlannedVersion) -> MigrationFixtureError.Problem {
    MigrationFixtureError.Problem(
      fixture: "\(version.number)", message: "There is no fixture of \(version.name).",
      remedy: "Record it with the release that wrote such stores, and check it in:\n"
        + "try fixtures.record(\(version.name).self) { context in context.insert(…) }")
  }
}
