import ArgumentParser
import Foundation
import RoostCore
import RoostEngine

/// What a store is encrypted with. Not on the command line itself, which others on the machine can see.
struct KeyOptions: ParsableArguments {
  @Option(
    help: "The key of an encrypted store: a file with 32 bytes, or with 64 hexadecimal digits.", completion: .file())
  var keyFile: String?
  @Option(help: "The passphrase of an encrypted store: a file, of which the first line counts.", completion: .file())
  var passphraseFile: String?

  func validate() throws {
    if keyFile != nil, passphraseFile != nil {
      throw ValidationError("Give --key-file or --passphrase-file, as the store has a key or a passphrase.")
    }
  }

  /// A configuration of a store with this key.
  func configuration(_ store: URL) throws -> ModelConfiguration {
    let configuration = ModelConfiguration(url: store, encryption: try encryption)
    try configuration.validate()
    return configuration
  }

  /// The key of a store, or of its copy; nil for a plain one.
  func key(of store: URL) throws -> DatabaseKey? { try configuration(store).key }

  private var encryption: ModelConfiguration.Encryption? {
    get throws {
      if let keyFile {
        let bytes = try read(keyFile)
        let digits = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        return .key(bytes.count == DatabaseKey.byteCount ? [UInt8](bytes) : Self.bytes(digits) ?? [UInt8](bytes))
      }
      guard let passphraseFile else { return nil }
      let line = try read(passphraseFile).split(separator: UInt8(ascii: "\n"), maxSplits: 1).first ?? Data()
      return .passphrase(String(decoding: line, as: UTF8.self))
    }
  }

  private func read(_ path: String) throws -> Data {
    let url = URL(argument: path)
    do {
      return try Data(contentsOf: url)
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "The file cannot be read.", remedy: "Allow this user to read it.", underlying: error,
        url: url)
    }
  }

  /// nil unless the text is of pairs of hexadecimal digits.
  private static func bytes(_ digits: String) -> [UInt8]? {
    let digits = Array(digits)
    guard digits.count == 2 * DatabaseKey.byteCount else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    return bytes.count == DatabaseKey.byteCount ? bytes : nil
  }
}
