public import Foundation

extension Schema: Codable {
  private enum CodingKeys: String, CodingKey {
    case encodingVersion, version, entities, store
  }

  /// Reads a schema that ``encode(to:)`` wrote. It describes entities, but knows no model types.
  ///
  /// - Throws: `DecodingError` when the data is none, or was written by a release with a newer form.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let encodingVersion = try container.decode(Version.self, forKey: .encodingVersion)
    guard encodingVersion.major <= Schema.schemaEncodingVersion.major else {
      throw DecodingError.dataCorruptedError(
        forKey: .encodingVersion, in: container,
        debugDescription: "The schema was written in form \(encodingVersion), which this release cannot read.")
    }
    let entities = try container.decode([Entity].self, forKey: .entities)
    Entity.link(entities)
    let version = try container.decode(Version.self, forKey: .version)
    // Forms before 1.1 do not have it.
    var described = try container.decodeIfPresent(DescribedSchema.self, forKey: .store)
    described?.version = version
    self.init(
      entities: entities, version: version, encodingVersion: encodingVersion, resolution: nil, described: described)
  }

  /// Writes the version, the entities, and, where the types tell, what stores of them look like.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Schema.schemaEncodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    try container.encode(entities, forKey: .entities)
    try container.encodeIfPresent(storeForm, forKey: .store)
  }

  /// Writes the schema to a file, as JSON with sorted keys.
  ///
  /// `roost check` takes such a file, and says what the program does with a store that has another schema.
  /// ```swift
  /// try Schema([Note.self, Tag.self]).save(to: URL(filePath: "notes.json"))
  /// ```
  /// - Throws: the file system's error.
  public func save(to toURL: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: toURL, options: .atomic)
  }

  /// Reads a schema from a file that ``save(to:)`` wrote.
  ///
  /// - Throws: the file system's error, or `DecodingError`.
  public static func load(from fromURL: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: fromURL))
  }
}
