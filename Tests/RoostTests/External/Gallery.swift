import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery

@Model final class Album {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .cascade, inverse: \Photo.album) var photos: [Photo] = []

  init(name: String) { self.name = name }
}

@Model final class Photo {
  var title: String
  @Attribute(.externalStorage) var image: Data?
  @Attribute(.externalStorage) var original: Data
  @Attribute(.externalStorage) var notes = ""
  @Attribute(.externalStorage) var words: [String] = []
  /// Small, whatever is asked for.
  @Attribute(.externalStorage) var rating = 0
  var album: Album?

  init(title: String, image: Data? = nil, original: Data = Data()) {
    self.title = title
    self.image = image
    self.original = original
  }
}

@Model final class Cover {
  @Attribute(.unique) var code: Int
  var title: String
  @Attribute(.externalStorage) var image: Data?

  init(code: Int, title: String = "", image: Data?) { (self.code, self.title, self.image) = (code, title, image) }
}

/// A store of photos whose values above 1,000 bytes are in files.
struct Gallery: Sendable {
  let folder: TemporaryFolder
  let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.store
  }

  /// The store of another gallery at another place.
  init(_ folder: TemporaryFolder, at url: URL) { (self.folder, self.url) = (folder, url) }

  func open(
    threshold: Int = 1_000, allowsSave: Bool = true, busyTimeout: Duration = .milliseconds(50)
  ) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: url, allowsSave: allowsSave)
    configuration.storeOptions.externalStorageThreshold = threshold
    configuration.storeOptions.busyTimeout = busyTimeout
    // Those that tests make are theirs.
    configuration.storeOptions.migration.backups = .newest(9)
    return try ModelContainer(for: Album.self, Cover.self, configurations: configuration)
  }

  var filesFolder: URL { url.deletingLastPathComponent().appending(path: url.lastPathComponent + "-files") }

  /// The names of the files that are there.
  func files() -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: filesFolder.path)) ?? [])
  }

  /// The names that rows have, as any program finds them.
  func named() throws -> Set<String> {
    let names = [
      ("Photo", "image", "text"), ("Photo", "original", "text"), ("Photo", "notes", "blob"), ("Photo", "words", "blob"),
      ("Cover", "image", "text"),
    ].map { "SELECT CAST(\($1) AS TEXT) FROM \($0) WHERE typeof(\($1)) = '\($2)'" }
    return Set(try strings(names.joined(separator: " UNION ALL ")))
  }

  /// Runs SQL as another program does.
  func execute(_ sql: String) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: url.path)))
    defer { connection.close() }
    try connection.execute(sql)
  }

  /// How SQLite runs a query.
  func plan(_ sql: String) throws -> String { try strings("EXPLAIN QUERY PLAN " + sql, column: 3).joined() }

  func strings(_ sql: String, column: Int32 = 0) throws -> [String] {
    let connection = try Connection(ConnectionOptions(location: .file(path: url.path)))
    defer { connection.close() }
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    var strings: [String] = []
    while try statement.step() { strings.append(statement.string(column)) }
    return strings
  }
}

func bytes(_ count: Int, _ byte: UInt8 = 7) -> Data { Data(repeating: byte, count: count) }

extension ModelContext {
  func photo() throws -> Photo? { try fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)])).first }

  /// Saves a photo with an image.
  @discardableResult
  func savePhoto(_ title: String = "a", _ image: Data? = bytes(5_000)) throws -> Photo {
    let photo = Photo(title: title, image: image)
    insert(photo)
    try save()
    return photo
  }
}
