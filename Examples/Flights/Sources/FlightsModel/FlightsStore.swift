import Foundation
import SwiftData

#if Encrypted
  import RoostVault
#endif

public enum FlightsStore {
  /// Opens a database, or creates it.
  ///
  /// The other models are found through the flight's relationships. The key of an encrypted one is in the system's
  /// vault, which makes it the first time.
  public static func open(_ file: URL, isEncrypted: Bool = false) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: file)
    #if Encrypted
      if isEncrypted { configuration.encryption = try .key(from: .default, named: "flights") }
    #else
      if isEncrypted { throw EncryptionIsOff() }
    #endif
    return try ModelContainer(for: Flight.self, configurations: configuration)
  }

  struct EncryptionIsOff: Error, CustomStringConvertible {
    let description = "This build has no encryption. Build it with: swift build --traits Encrypted"
  }
}
