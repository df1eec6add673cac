import RoostEngine

// A file remembers the schemas that it had, so that it can tell an older program from one that has dropped something.
extension StoreDefinition {
  /// The same for schemas without ``differences(from:)``, and most likely for no others.
  ///
  /// Source: [FNV-1a](https://datatracker.ietf.org/doc/html/draft-eastlake-fnv).
  package var fingerprint: String {
    get throws {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for entity in entities.sorted(by: { $0.name < $1.name }) {
        for byte in try entity.withoutDetails.json().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
      return String(hash, radix: 16)
    }
  }
}

extension StoreCatalog {
  /// The fingerprints of the schemas that a file had; none in one that an earlier release of Roost migrated last.
  package func formerSchemas() throws -> Set<String> {
    Set(try (value(.formerSchemas) ?? "").split(separator: " ").map(String.init))
  }

  /// Notes a schema that the file has until now.
  package func remember(_ schema: StoreDefinition) throws {
    try set(.formerSchemas, formerSchemas().union([schema.fingerprint]).sorted().joined(separator: " "))
  }
}
