package import Foundation
package import RoostEngine

/// The schema that a file has, or that a program wants a file to have.
package struct StoreDefinition: Equatable, Sendable {
  /// In the order of their names.
  package var entities: [EntityDefinition]
  /// The number that the program gave the schema; nil where the file does not know.
  package var version: Schema.Version?

  /// That of a file which says nothing.
  package init() { entities = [] }

  package init(_ schema: SchemaInfo, version: Schema.Version?) throws {
    entities = try schema.entities.map(EntityDefinition.init).sorted { $0.name < $1.name }
    self.version = version
  }

  /// What a file says of itself.
  ///
  /// - Throws: `SwiftDataError.loadIssueModelContainer` when that cannot be read.
  package init(of connection: Connection, url: URL?) throws {
    entities = []
    let statement = try connection.statement("SELECT name, definition FROM _roost_entity ORDER BY name")
    defer { statement.reset() }
    while try statement.step() {
      guard let entity = try? EntityDefinition(json: statement.string(1)) else {
        throw SwiftDataError.loadIssue(
          "What the file says of \(statement.string(0)) in _roost_entity cannot be read.", url: url,
          remedy: "Restore the file from a backup.")
      }
      entities.append(entity)
    }
    version = try StoreCatalog(connection).value(.version).flatMap(Schema.Version.init(description:))
  }

  /// Whether a file with another definition is as this one wants it, and all its rows are of use.
  package func isServed(by stored: StoreDefinition) -> Bool { changes(since: stored).isEmpty }

  /// Why a file with another definition is not as this one wants it: a line a difference, naming model and property.
  package func changes(since stored: StoreDefinition) -> [String] {
    differences(from: stored)
      + entities.flatMap { entity in
        (stored.entity(named: entity.name).map(entity.newRequirements) ?? []).map { property, keys in
          "\(([entity.name, property] + keys).joined(separator: ".")): required"
        }
      }
  }

  package func entity(named name: String) -> EntityDefinition? { entities.first { $0.name == name } }

  /// A line a difference that matters to what is stored, naming model and property.
  package func differences(from stored: StoreDefinition) -> [String] {
    var lines: [String] = []
    let matches = NameMatch.pairs(entities, stored.entities)
    for (index, entity) in entities.enumerated() {
      guard let before = stored.entity(named: entity.name) else {
        lines.append("\(entity.name): not in the store")
        continue
      }
      // Models that exchange their names may be the same in all else.
      if let match = matches[index], stored.entities[match].name != entity.name {
        lines.append("\(entity.name): was \(stored.entities[match].name)")
      }
      lines += entity.differences(from: before)
    }
    for entity in stored.entities where self.entity(named: entity.name) == nil {
      lines.append("\(entity.name): in the store, not in the program")
    }
    return lines
  }
}

extension Schema.Version {
  /// Reads what `description` writes; nil when it is something else.
  init?(description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2] else { return nil }
    self.init(major, minor, patch)
  }
}
