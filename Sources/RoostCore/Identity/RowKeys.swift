/// The identifiers of a query's rows, at 8 bytes each: what they have besides the key is the same for a whole class.
package struct RowKeys: RandomAccessCollection {
  private struct Class {
    let name: String
    let stored: IdentifierScope
    let temporary: IdentifierScope
  }

  private let classes: [Class]
  private var keys: [Int64] = []
  /// Each row's class, where rows may be of several.
  private var kinds: [UInt16] = []

  package init(_ entity: EntityInfo, in core: ContextCore) {
    classes = entity.selfAndDescendants.map { entity in
      Class(
        name: entity.name, stored: core.scope(ordinal: entity.ordinal),
        temporary: TemporaryScopes.scope(entityName: entity.name))
    }
  }

  /// Whether rows may be of several classes.
  package var isMixed: Bool { classes.count > 1 }

  /// Adds a row of the only class.
  package mutating func append(_ key: Int64) { keys.append(key) }

  /// Adds a row of the class with that name; false when there is none.
  package mutating func append(_ key: Int64, className: String) -> Bool {
    guard let kind = classes.firstIndex(where: { $0.name == className }) else { return false }
    keys.append(key)
    kinds.append(UInt16(kind))
    return true
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { keys.count }

  package subscript(position: Int) -> PersistentIdentifier {
    let (key, kind) = (keys[position], classes[kinds.isEmpty ? 0 : Int(kinds[position])])
    return PersistentIdentifier(scope: key < 0 ? kind.temporary : kind.stored, key: key)
  }
}
