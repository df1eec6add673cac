import RoostSQL

/// What deleting rows means for other rows, as the relationships of a schema declare it.
struct DeleteRules: Sendable {
  /// A relationship whose rule is `.cascade` or `.deny`.
  struct Rule: Sendable {
    let owner: EntityInfo
    let property: PropertyInfo
    let relationship: RelationshipInfo

    /// The key of a row that the relationship refers to, and the key of the owner's row: columns of `table`.
    var columns: (table: String, target: String, owner: String) {
      switch relationship.storage {
      case .column(let column): (owner.table, column, primaryKeyColumn)
      case .inverseColumn(let column): (relationship.destination.table, primaryKeyColumn, column)
      case .joinTable(let name, let own, let other): (name, other, own)
      }
    }
  }

  let cascades: [Rule]
  let denials: [Rule]
  /// Whether a rule is about a relationship whose links are rows of a join table.
  let readsJoinTables: Bool
  /// The roots of inheritance chains whose rows take others along.
  private let taking: Set<Int>
  /// Finds what goes with rows: see ``reached``.
  private(set) var reachedSQL = ""

  init(_ entities: [EntityInfo]) {
    func rules(_ rule: Schema.Relationship.DeleteRule) -> [Rule] {
      entities.flatMap { entity in
        entity.ownProperties.compactMap { property in
          property.relationship.flatMap {
            $0.deleteRule == rule ? Rule(owner: entity, property: property, relationship: $0) : nil
          }
        }
      }
    }
    (cascades, denials) = (rules(.cascade), rules(.deny))
    readsJoinTables = (cascades + denials).contains { rule in
      if case .joinTable = rule.relationship.storage { true } else { false }
    }
    taking = Set(cascades.map(\.owner.root.ordinal))
    reachedSQL = Self.sql(cascades)
  }

  /// Whether the deletion of a row of the entity may take others along.
  func takesOthers(_ ordinal: Int) -> Bool { taking.contains(ordinal) }

  /// The rows that are deleted with some: their roots' ordinals and keys.
  ///
  /// Parameter: the rows as a JSON array of pairs, such as `[[0,1],[0,2]]`. Source:
  /// [SQLite, recursive queries](https://www.sqlite.org/lang_with.html).
  private static func sql(_ rules: [Rule]) -> String {
    let steps = rules.map { rule in
      let (table, target, owner) = rule.columns
      let (name, column) = (quotedIdentifier(table), quotedIdentifier(target))
      return """
        UNION SELECT \(rule.relationship.destination.root.ordinal), \(name).\(column) FROM gone CROSS JOIN \(name) \
        ON \(name).\(quotedIdentifier(owner)) = gone.key \
        WHERE gone.entity = \(rule.owner.root.ordinal) AND \(name).\(column) > 0
        """
    }
    return """
      WITH RECURSIVE gone(entity, key) AS (\
      SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) \(steps.joined(separator: " "))) \
      SELECT entity, key FROM gone
      """
  }
}
