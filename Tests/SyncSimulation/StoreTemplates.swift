import Foundation
import Roost
import RoostCore
import Synchronization

/// Empty stores, made once for each version: making them for each device took a tenth of the time.
final class StoreTemplates: Sendable {
  static let shared = StoreTemplates()
  private let files = Mutex<[String: Data]>([:])

  /// Puts an empty store of a version where there is none. All have one identifier, as copies of a store do.
  func copy(of version: any VersionedSchema.Type, to url: URL) throws {
    let data = try files.withLock { files in
      if let data = files["\(version)"] { return data }
      let folder = try Folder()
      let file = folder.store("template")
      try ModelContainer(for: Schema(versionedSchema: version), configurations: ModelConfiguration(url: file)).close()
      let data = try Data(contentsOf: file)
      files["\(version)"] = data
      return data
    }
    try data.write(to: url)
  }
}
