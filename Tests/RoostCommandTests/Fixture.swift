import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import Synchronization

@testable import RoostCommand

/// A folder with a store, and what the command prints about it.
final class Fixture: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "roost-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var store: URL { file("notes.store") }

  func file(_ name: String) -> URL { folder.appending(path: name) }

  /// Opens the store with some models, and saves what `body` makes.
  func make(
    _ types: any PersistentModel.Type..., at url: URL? = nil, _ body: (ModelContext) throws -> Void = { _ in }
  ) throws {
    var configuration = ModelConfiguration(url: url ?? store)
    configuration.storeOptions.externalStorageThreshold = 100
    let container = try ModelContainer(for: Schema(types), configurations: [configuration])
    let context = ModelContext(container)
    try body(context)
    try context.save()
    try container.close()
  }

  func save(_ types: any PersistentModel.Type..., as name: String) throws -> String {
    try Schema(types).save(to: file(name))
    return file(name).path
  }

  /// Changes the file as another program does.
  func execute(_ sql: String) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: store.path), foreignKeys: false))
    defer { connection.close() }
    try connection.execute(sql)
  }

  /// The names and contents of all files.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { !file($0).hasDirectoryPath }.compactMap { name in
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: file(name).path, isDirectory: &isFolder)
        return isFolder.boolValue ? nil : (name, try Data(contentsOf: file(name)))
      })
  }
}

/// What a run of the command gave.
struct Run: Equatable {
  var code: Int32
  var output: String
  var complaint: String

  init(_ arguments: [String], answer: String? = nil) {
    let printed = Mutex<[String]>([])
    let complained = Mutex<[String]>([])
    let console = Console(
      print: { text in printed.withLock { $0.append(text) } },
      complain: { text in complained.withLock { $0.append(text) } },
      ask: answer.map { answer in
        { question in
          printed.withLock { $0.append(question) }
          return answer
        }
      })
    code = RoostCommand.run(arguments, on: console)
    output = printed.withLock { $0.joined(separator: "\n") }
    complaint = complained.withLock { $0.joined(separator: "\n") }
  }

  init(_ arguments: String..., answer: String? = nil) { self.init(arguments, answer: answer) }
}
