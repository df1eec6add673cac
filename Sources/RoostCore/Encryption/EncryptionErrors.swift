package import Foundation
package import RoostEngine

extension SwiftDataError {
  /// A configuration that asks for encryption in a program without it.
  package static func encryptionIsOff(url: URL?) -> SwiftDataError {
    loadIssue(
      "The configuration asks for encryption, and this program was built without it.", url: url,
      remedy: "Turn on the trait: .package(url: \"…/roost\", from: \"…\", traits: [\"Encryption\"]) in Package.swift.")
  }

  /// What it means that a connection with a key, or without one, finds no database in a file.
  package static func unreadable(_ file: URL, withKey hasKey: Bool, _ error: DatabaseError) -> SwiftDataError {
    if (try? DatabaseFile.firstBytes(of: file.path, plainHeader.count)) == plainHeader {
      if hasKey { return SwiftDataError(.storeNotEncrypted, underlying: error, url: file) }
    } else if Library.encrypts, let size = Disk.size(of: file), size > 0, size % smallestPage == 0 {
      // A program without encryption has made no such file: to it this is what SwiftData calls what it cannot load.
      return SwiftDataError(hasKey ? .wrongStoreKey : .storeEncrypted, underlying: error, url: file)
    }
    return loadIssue(
      "\(error)", url: file,
      remedy: "Choose another url: this file is no SQLite database, a damaged one, or encrypted.", underlying: error)
  }

  /// A database, encrypted or not, is made of whole pages.
  private static let smallestPage: Int64 = 512
  private static let plainHeader = Array("SQLite format 3\0".utf8)
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
