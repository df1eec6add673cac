package import RoostCore
package import SyncMerge

/// What of a store is synced: its classes, what their columns are to the server, and why some cannot be.
package struct SyncContract: Sendable {
  /// One a table, in the order of the schema.
  package let entities: [SyncedEntity]
  package let schema: SyncSchema

  /// - Parameters:
  ///   - info: the store's schema.
  ///   - version: the program's number of it.
  ///   - isSynced: which classes are, by the roots of their hierarchies.
  ///   - editWins: of which classes rows stay that one device deletes and another edits.
  /// - Throws: ``SwiftDataError/invalidSchema`` for what cannot be synced, with the property and what to do.
  package init(
    _ info: SchemaInfo, version: Schema.Version? = nil, isSynced: (EntityInfo) -> Bool = { _ in true },
    editWins: (EntityInfo) -> Bool = { _ in false }
  ) throws {
    let roots = info.entities.filter { $0.superentity == nil && isSynced($0) }
    entities = try roots.map { root in
      try SyncedEntity(root, info.joinTables.filter { $0.owner.root === root }, isSynced: isSynced)
    }
    let definitions = entities.map { entity in
      var definition = entity.definition
      definition.deletion = editWins(entity.root) ? .editWins : .deletionWins
      return definition
    }
    schema = SyncSchema(
      version: version.map { [$0.major, $0.minor, $0.patch].map { Int($0) } } ?? [], entities: definitions)
  }

  package func entity(ofRoot root: EntityInfo) -> SyncedEntity? { entities.first { $0.root === root } }
}
