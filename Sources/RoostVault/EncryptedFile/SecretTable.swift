#if Vault
  import Foundation

  /// All secrets of a file, as they are before encryption.
  ///
  /// For each there are the service, the account and the bytes, each behind its length in four bytes.
  struct SecretTable {
    var secrets: [SecretName: Secret] = [:]

    /// In memory that is overwritten afterwards, sorted so that equal tables are equal bytes.
    func encoded() -> Secret {
      let entries = secrets.sorted { ($0.key.service, $0.key.account) < ($1.key.service, $1.key.account) }
      let count = entries.reduce(0) { $0 + 12 + $1.key.service.utf8.count + $1.key.account.utf8.count + $1.value.count }
      return Secret(count: count) { bytes in
        var place = 0
        func append(_ part: UnsafeRawBufferPointer) {
          withUnsafeBytes(of: UInt32(part.count).bigEndian) { length in
            UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + 4)]).copyMemory(from: length)
          }
          place += 4
          UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + part.count)]).copyMemory(from: part)
          place += part.count
        }
        for (name, secret) in entries {
          for text in [name.service, name.account] { Array(text.utf8).withUnsafeBytes(append) }
          secret.withUnsafeBytes(append)
        }
      }
    }
  }

  extension SecretTable {
    /// Nil where the bytes are no table.
    init?(_ bytes: UnsafeRawBufferPointer) {
      var rest = bytes[...]
      func next() -> Slice<UnsafeRawBufferPointer>? {
        guard rest.count >= 4 else { return nil }
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(4)
        guard rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
      }
      while !rest.isEmpty {
        guard let service = next().flatMap({ String(validating: $0, as: UTF8.self) }),
          let account = next().flatMap({ String(validating: $0, as: UTF8.self) }), let secret = next(),
          let name = try? SecretName(service: service, account: account)
        else { return nil }
        secrets[name] = Secret(secret)
      }
    }
  }
#endif
