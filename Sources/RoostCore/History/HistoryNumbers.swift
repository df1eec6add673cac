package import RoostEngine
import Synchronization

/// What history calls a schema's models and their properties, and what its numbers are of.
package struct HistoryNumbers: Sendable {
  package let fields: HistoryFields
  /// The entities by their numbers.
  package let entities: [Int64: EntityInfo]
  /// The properties of each entity by their numbers.
  package let properties: [Int64: [Int64: PropertyInfo]]
  private let byOrdinal: [Int: Int64]
  /// SQLite's number of the tables beside which they were read.
  fileprivate let schemaVersion: Int64

  fileprivate init(_ schema: SchemaInfo, _ fields: HistoryFields, schemaVersion: Int64) {
    var (entities, properties): ([Int64: EntityInfo], [Int64: [Int64: PropertyInfo]]) = ([:], [:])
    for entity in schema.entities {
      guard let number = fields.number(of: entity) else { continue }
      entities[number] = entity
      let numbered = entity.properties.compactMap { property in fields.number(of: property).map { ($0, property) } }
      properties[number] = Dictionary(numbered, uniquingKeysWith: { first, _ in first })
    }
    (self.fields, self.entities, self.properties) = (fields, entities, properties)
    byOrdinal = Dictionary(uniqueKeysWithValues: entities.map { ($0.value.ordinal, $0.key) })
    self.schemaVersion = schemaVersion
  }

  package func number(of entity: EntityInfo) -> Int64? { byOrdinal[entity.ordinal] }
}

extension Store {
  /// The numbers in the file, as a connection sees it.
  ///
  /// They are read once for each form of the file's tables. What gives other ones, a migration or a backup that is
  /// restored, changes SQLite's number of these.
  ///
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` where no history was ever
  ///   recorded; or what the database reports.
  package func historyNumbers(_ connection: Connection) throws -> HistoryNumbers {
    let version = try connection.untraced { try connection.schemaVersion() }
    if let known = knownNumbers.withLock({ $0 }), known.schemaVersion == version { return known }
    guard try HistoryTables.exist(in: connection) else {
      throw SwiftDataError(
        .invalidTransactionFetchRequest, "The store records no history.",
        remedy: "Set storeOptions.history = .on in its configuration.")
    }
    let numbers = HistoryNumbers(schema, try HistoryFields(connection), schemaVersion: version)
    // What a transaction has written may never be committed, and outside of one the tables may be others by now.
    let isLasting = try !connection.isWriting && connection.untraced { try connection.schemaVersion() } == version
    if isLasting { knownNumbers.withLock { $0 = numbers } }
    return numbers
  }
}
