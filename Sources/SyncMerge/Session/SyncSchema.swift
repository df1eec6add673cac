import Foundation

/// What a program's models are, for a server that has none of them.
package struct SyncSchema: Hashable, Sendable, Codable {
  /// The program's number of it, by which newer rules are told from older ones.
  package var version: [Int]
  package var entities: [SyncEntity]

  package init(version: [Int] = [], entities: [SyncEntity]) { (self.version, self.entities) = (version, entities) }
}

extension SyncSchema {
  /// How many numbers a version, how many former names a name, and how many bytes each may have. Both are kept for
  /// good, and each class and field has a version.
  private static let (mostNumbers, mostBytes) = (16, 1_000)

  /// Whether its version and its names are of a size that programs have.
  package var isSmall: Bool {
    func isSmall(_ name: String) -> Bool { name.utf8.count <= Self.mostBytes }
    func areSmall(_ name: SyncName) -> Bool {
      isSmall(name.name) && name.formerNames.allSatisfy(isSmall) && name.formerNames.count <= Self.mostNumbers
    }
    return version.count <= Self.mostNumbers
      && entities.allSatisfy { entity in
        areSmall(entity.name) && entity.classes.allSatisfy(areSmall)
          && entity.fields.allSatisfy {
            areSmall($0.name) && $0.otherSide.map { areSmall($0.name) } ?? true
              && $0.unwritten.map { $0.encoded.count <= SyncFieldDefinition.largestUnwritten } ?? true
          }
      }
  }

  /// The classes in the order in which deletions are sent: each before those whose rows its own rows keep from being
  /// deleted, or are deleted with. Cycles are broken anywhere.
  package var inOrderOfDeletion: [String] {
    let byName = Dictionary(entities.map { ($0.name.name, $0) }, uniquingKeysWith: { first, _ in first })
    var (order, visited): ([String], Set<String>) = ([], [])
    func visit(_ entity: SyncEntity) {
      guard visited.insert(entity.name.name).inserted else { return }
      for reference in entity.fields.compactMap(\.reference) {
        if let other = byName[reference.destination], matters(reference) { visit(other) }
      }
      order.append(entity.name.name)
    }
    for entity in entities { visit(entity) }
    return order.reversed()
  }

  /// Whether rows that refer to one keep it from being deleted, or go with it.
  package func matters(_ reference: SyncReference) -> Bool {
    reference.deleteRule.keepsRow(isRequired: reference.isRequired) || reference.deleteRule == .cascade
      || entities.first { $0.name.name == reference.destination }?.deletion == .editWins
  }

  /// The classes of which deletions are sent before all else, where not all goes in one push: those with
  /// unique values, which other rows may have by now, and those whose rows keep such rows from being
  /// deleted, or are deleted with them.
  package var deletedFirst: Set<String> {
    var found = Set(entities.filter { !$0.uniqueness.isEmpty }.map(\.name.name))
    var waiting = entities.filter { found.contains($0.name.name) }
    while let other = waiting.popLast() {
      for entity in entities where !found.contains(entity.name.name) {
        let references = entity.fields.compactMap(\.reference).filter { $0.destination == other.name.name }
        guard references.contains(where: matters) else { continue }
        found.insert(entity.name.name)
        waiting.append(entity)
      }
    }
    return found
  }
}

/// What something is called now, and was called before.
package struct SyncName: Hashable, Sendable, Codable {
  package var name: String
  /// nil where it is the same.
  package var originalName: String?
  /// What it was called before that, the last first; nil where nothing is known of it.
  package var earlierNames: [String]?

  package init(_ name: String, originalName: String? = nil) { (self.name, self.originalName) = (name, originalName) }

  /// All that it is and was called.
  package var allNames: [String] { [name] + formerNames }

  /// All that it was called before, the last first.
  var formerNames: [String] { (originalName.map { [$0] } ?? []) + (earlierNames ?? []) }
}

/// A class, with those that inherit from it.
package struct SyncEntity: Hashable, Sendable, Codable {
  package var name: SyncName
  package var deletion: SyncDeletionPolicy
  /// The class itself and those that inherit from it, where there are any.
  package var classes: [SyncName]
  package var fields: [SyncFieldDefinition]
  /// The names of fields that no two rows have the same values in.
  package var uniqueness: [[String]]
  /// The names of those that are unique only as each row must have a partner of its own: two rows that have the same
  /// partner already stay two. nil for none.
  package var partners: Set<String>?

  package init(
    _ name: SyncName, deletion: SyncDeletionPolicy = .deletionWins, classes: [SyncName] = [],
    fields: [SyncFieldDefinition], uniqueness: [[String]] = [], partners: Set<String> = []
  ) {
    self.name = name
    self.deletion = deletion
    self.classes = classes
    self.fields = fields
    self.uniqueness = uniqueness
    self.partners = partners.isEmpty ? nil : partners
  }
}

/// An attribute, or a relationship.
package struct SyncFieldDefinition: Hashable, Sendable, Codable {
  package var name: SyncName
  package var policy: SyncMergePolicy
  /// What the program takes for granted of rows that have no value; nil for none.
  package var unwritten: SyncValue?
  /// For a relationship.
  package var reference: SyncReference?
  /// For a many-to-many relationship with an inverse, which is one field: that on the other
  /// side, which others may know it as.
  package var otherSide: SyncOtherSide?

  package init(
    _ name: SyncName, policy: SyncMergePolicy = .lastWriter, unwritten: SyncValue? = nil,
    reference: SyncReference? = nil, otherSide: SyncOtherSide? = nil
  ) {
    self.name = name
    self.policy = policy
    self.unwritten = unwritten
    self.reference = reference
    self.otherSide = otherSide
  }
}

extension SyncFieldDefinition {
  /// The most bytes of what is taken for granted of rows.
  package static let largestUnwritten = 1_000
}

extension SyncValue: Codable {
  /// Reads what `encode(to:)` writes: the bytes of the protocol's other parts.
  package init(from decoder: any Decoder) throws {
    try self.init(encoded: Array(decoder.singleValueContainer().decode(Data.self)))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(encoded))
  }
}

/// A many-to-many relationship as the class has it that it leads to.
package struct SyncOtherSide: Hashable, Sendable, Codable {
  /// The name of the class.
  package var entity: String
  package var name: SyncName
  package var reference: SyncReference

  package init(of entity: String, _ name: SyncName, reference: SyncReference) {
    (self.entity, self.name, self.reference) = (entity, name, reference)
  }
}

/// What a relationship's row is, and what becomes of the row that refers to it.
package struct SyncReference: Hashable, Sendable, Codable {
  /// What the deletion of a row does to those that refer to it.
  package enum DeleteRule: String, Hashable, Sendable, Codable {
    /// They refer to none.
    case nullify
    /// They are deleted too.
    case cascade
    /// The row is not deleted.
    case deny
    /// Nothing: they refer to it still.
    case noAction

    /// Whether a row stays for as long as another refers to it. `isRequired`: whether that one must refer to some row.
    package func keepsRow(isRequired: Bool) -> Bool { self == .deny || self == .nullify && isRequired }
  }

  /// The name of the class.
  package var destination: String
  package var deleteRule: DeleteRule
  /// Whether there must be one.
  package var isRequired: Bool
  /// The name of the class's field that refers back, where each of two rows has the other alone.
  package var inverse: String?
  /// Whether the row that refers takes the other along when it is deleted; nil for no.
  package var takesAlong: Bool?

  package init(
    to destination: String, deleteRule: DeleteRule = .nullify, isRequired: Bool = false, inverse: String? = nil,
    takesAlong: Bool = false
  ) {
    self.destination = destination
    self.deleteRule = deleteRule
    self.isRequired = isRequired
    self.inverse = inverse
    self.takesAlong = takesAlong ? true : nil
  }
}
