import Synchronization

/// What fetching and saving know of one model type: its table, columns and relationships. Not changed once it is built.
///
/// Made once a schema from `schemaMetadata`; the public `Schema.Entity` describes the same for users.
package final class EntityInfo: @unchecked Sendable {
  // SAFETY: every property is set before the object leaves the builder that makes it, of a program's schema or of a
  // file's, and never changes afterwards, but for the cache, which has a lock. So nothing reads what is being written,
  // and what is asked for each row is not checked.
  package let name: String
  package let type: any PersistentModel.Type
  /// The entity's place in `SchemaInfo.entities`.
  package let ordinal: Int
  /// The name in an earlier version; nil when it is the same.
  package var originalName: String?
  /// What a file says of the entity, where it is all that is known of it.
  package var described: EntityDefinition?
  /// The superclass's entity; the schema keeps both.
  @exclusivity(unchecked) package unowned var superentity: EntityInfo?
  /// The direct subclasses' entities.
  @exclusivity(unchecked) package var subentities: [EntityInfo] = []
  /// In the order of the macro's indexes: the superclasses' first.
  @exclusivity(unchecked) package var properties: [PropertyInfo] = [] {
    didSet {
      relationships = properties.filter { $0.relationship != nil }
      relationshipSet = PropertySet(relationships.map(\.index))
      lists = relationships.filter { if case .toMany = $0.kind { true } else { false } }
      if properties.contains(where: { !$0.isStored }) {
        storedProperties = PropertySet(properties.filter(\.isStored).map(\.index))
      }
      externals = properties.filter(\.isExternal)
      boundedLists = lists.filter { $0.relationship?.minimumCount != nil || $0.relationship?.maximumCount != nil }
    }
  }
  /// Those of the properties that refer to models.
  @exclusivity(unchecked) package private(set) var relationships: [PropertyInfo] = []
  @exclusivity(unchecked) private(set) var relationshipSet = PropertySet([])
  /// Those that refer to many.
  @exclusivity(unchecked) private(set) var lists: [PropertyInfo] = []
  /// Those of the lists that have a least or greatest number of members.
  @exclusivity(unchecked) private(set) var boundedLists: [PropertyInfo] = []
  /// The attributes whose large values are in files.
  @exclusivity(unchecked) private(set) var externals: [PropertyInfo] = []
  /// The properties that are stored; nil when all are.
  @exclusivity(unchecked) private(set) var storedProperties: PropertySet?
  /// For each property the result column it is in when all are read; nil when they are there in order.
  @exclusivity(unchecked) var columnPositions: [Int32]?
  /// The relationships that refer here without this entity's models knowing of it.
  var unknownReferrers: [PropertyInfo] = [] {
    didSet { unknownLists = unknownReferrers.filter { if case .toMany = $0.kind { true } else { false } } }
  }
  /// Those of them that are lists.
  private(set) var unknownLists: [PropertyInfo] = []
  /// Lists of property indexes, for what the type itself declares: those of `#Unique`, and one for each `.unique`
  /// attribute or relationship.
  package var uniqueness: [[IndexKey]] = []
  /// What `#Unique(onConflict:)` says of some of them.
  var uniquenessPolicies: [[IndexKey]: Schema.UniquenessPolicy] = [:]
  /// More than that of every other entity with unique constraints which a unique constraint of this one refers to.
  var uniquenessRank = 0
  package var indices: [[IndexKey]] = [] {
    didSet { fieldIndexes = IndexKey.fields(in: indices + uniqueness) }
  }
  package var rtreeIndices: [[IndexKey]] = []
  /// The full-text indexes that the type itself declares.
  package var fullTextIndexes: [FullTextIndex] = []
  /// The table, named as the Swift type, or as the root of its inheritance chain.
  package var table: String
  /// Whether a relationship refers here, so that a temporary key may stand in another row.
  @exclusivity(unchecked) var isReferenced = false
  package var byKeyPath: [AnyKeyPath: Int] = [:]
  let paths = Mutex<[KeyPathKey: KeyPathProperties?]>([:])
  let fieldPaths = Mutex<[KeyPathKey: FieldPath?]>([:])
  /// The keys of composite attributes that indexes are about, by property.
  private var fieldIndexes: [Int: Set<[String]>] = [:]

  package init(name: String, type: any PersistentModel.Type, ordinal: Int) {
    self.name = name
    self.type = type
    self.ordinal = ordinal
    table = name
  }

  /// The properties that the type itself declares.
  package var ownProperties: ArraySlice<PropertyInfo> { properties[(superentity?.properties.count ?? 0)...] }

  /// The stored property that a key path of this very entity names, or nil when it names none (computed, transient,
  /// ephemeral, deeper).
  package func property(for keyPath: AnyKeyPath) -> PropertyInfo? {
    guard let index = byKeyPath[keyPath] else { return required(keyPath) }
    return properties[index].isStored ? properties[index] : nil
  }

  package func fieldIndexes(_ property: PropertyInfo) -> Set<[String]> {
    let own = fieldIndexes.isEmpty ? [] : fieldIndexes[property.index] ?? []
    return superentity.map { own.union($0.fieldIndexes(property)) } ?? own
  }

  /// The name of the `.ephemeral` attribute that a key path names, for an error.
  package func ephemeralName(for keyPath: AnyKeyPath) -> String? {
    byKeyPath[keyPath].map { properties[$0] }.flatMap { $0.isStored ? nil : $0.name }
  }

  package func property(named name: String) -> PropertyInfo? {
    properties.first { $0.name == name }
  }
}

/// The column that holds the primary key of every table.
package let primaryKeyColumn = "_pk"

/// The column that holds the entity's name, in tables of inheritance chains.
package let entityNameColumn = "_type"
