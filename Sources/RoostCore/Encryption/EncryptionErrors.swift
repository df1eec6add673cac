package import Foundation
package import RoostEngine

extension SwiftDataError {
  /// A configuration that asks for encryption in a program without it.
  package static func encryptionIsOff(url: URL?) -> SwiftDataError {
    loadIssue(
      "The configuration asks for encryption, and this program was built without it.", url: url,
      remedy: "Turn on the trait: .package(url: \"…/roost\", from: \"…\", traits: [\"Encryption\"]) in Package.swift.")
  }

  /// What it means that a file's first page is no database's to a connection with or without a key.
  package static func unreadable(_ file: URL, withKey hasKey: Bool, _ error: DatabaseError) -> SwiftDataError {
    let isPlain = (try? FileHandle(forReadingFrom: file)).flatMap { handle in
      defer { try? handle.close() }
      return try? handle.read(upToCount: plainHeader.count)
    } == plainHeader
    let code: Code = !hasKey ? isPlain ? .storeDamaged : .storeEncrypted : isPlain ? .storeNotEncrypted : .wrongStoreKey
    return SwiftDataError(code, underlying: error, url: file)
  }

  private static let plainHeader = Data("SQLite format 3\0".utf8)
}

extension ModelConfiguration {
  /// Checks that the store can be encrypted as it is asked to.
  func validateEncryption() throws {
    guard let encryption else { return }
    guard Library.encrypts else { throw SwiftDataError.encryptionIsOff(url: url) }
    if let problem = encryption.problem {
      throw SwiftDataError.loadIssue(
        problem, url: url, remedy: "Make a key of 32 random bytes, or use .passphrase(_:) for what somebody remembers.")
    }
  }
}
