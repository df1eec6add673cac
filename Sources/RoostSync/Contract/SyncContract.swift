package import RoostCore
package import SyncMerge

/// What of a store is synced: its classes, what their columns are to the server, and why some cannot be.
package struct SyncContract: Sendable {
  /// One a table, in the order of the schema.
  package let entities: [SyncedEntity]
  package let schema: SyncSchema
  /// How the program merges attributes that are `.custom`.
  let merges: [CustomMerge]

  /// - Parameters:
  ///   - info: the store's schema.
  ///   - formerVersions: those of the program's versions before, the oldest first.
  ///   - version: the program's number of it.
  ///   - isSynced: which classes are, by the roots of their hierarchies.
  ///   - editWins: of which classes rows stay that one device deletes and another edits.
  ///   - merges: how the program merges attributes that are `.custom`.
  /// - Throws: ``SwiftDataError/invalidSchema`` for what cannot be synced, with the property and what to do.
  package init(
    _ info: SchemaInfo, after formerVersions: [SchemaInfo] = [], version: [Int] = [],
    isSynced: (EntityInfo) -> Bool = { _ in true },
    editWins: (EntityInfo) -> Bool = { _ in false }, merges: [CustomMerge] = []
  ) throws {
    self.merges = merges
    let roots = info.entities.filter { $0.superentity == nil && isSynced($0) }
    let joins = info.joinTables.map { $0.asItKeepsRows(isSynced: isSynced) }
    entities = try roots.map { root in
      try SyncedEntity(
        root, joins.filter { $0.owner.root === root },
        others: joins.filter { $0.destination.root === root && isSynced($0.owner.root) }, isSynced: isSynced)
    }
    let formerNames = FormerNames(formerVersions + [info])
    let definitions = entities.map { entity in
      var definition = entity.definition
      formerNames.add(to: &definition)
      definition.deletion = editWins(entity.root) ? .editWins : .deletionWins
      return definition
    }
    schema = SyncSchema(
      version: version, entities: definitions)
  }

  /// The classes that a session has numbers for, and the program does not sync by now.
  func leftOut(of session: SyncSessionFacts) -> [String] {
    Set(session.numbers.entities.keys).subtracting(entities.map(\.root.name)).sorted()
  }

  /// What classes have and do not sync, by the classes' names: its names, and former ones, as they would be fields'.
  var localNames: [String: Set<String>] {
    let names = entities.map { entity in
      let local = entity.classes.flatMap { one in
        one.ownProperties.filter(\.isLocalOnly).flatMap { SyncedField.name(of: $0, in: one).allNames }
      }
      return (entity.root.name, Set(local))
    }
    return Dictionary(names.filter { !$0.1.isEmpty }) { first, _ in first }
  }

  /// Checks that history has all that is to be synced.
  ///
  /// - Parameter history: what the program says of it, or the store's file, which keeps what a program said before.
  /// - Throws: ``SwiftDataError/invalidSchema`` where it has not.
  func check(_ history: ModelConfiguration.HistoryOptions) throws {
    let excluded = entities.flatMap(\.classes).first { history.excludedEntities.contains($0.name) }
    if history.isRecorded, excluded == nil { return }
    throw SwiftDataError(
      .invalidSchema,
      excluded == nil
        ? "The store records no history, so that nobody knows what to sync."
        : "Its changes are not recorded in the store's history, so that nobody knows what to sync.",
      model: excluded?.name,
      remedy:
        "Set storeOptions.history to .on: the file keeps what a program said before. Or leave the model out of `sync.models`."
    )
  }

  /// Sees that the program merges what it says it does, and nothing else.
  func checkMerges() throws {
    let properties = Set(entities.flatMap(\.fields).map { Self.name(of: $0.property) })
    if let merge = merges.first(where: { !properties.contains("\($0.model).\($0.property)") }) {
      throw SwiftDataError(
        .invalidSchema, "The program merges it by a function that nobody would call, as it is not synced.",
        model: merge.model, property: merge.property, remedy: "Sync it, or take the function away.")
    }
    for field in entities.flatMap(\.fields) {
      let (property, isCustom) = (field.property, field.definition.policy == .custom)
      if isCustom == (merge(of: property) != nil) { continue }
      let (reason, remedy) =
        isCustom
        ? (
          "It is merged by `.custom`, and the program does not say how.",
          "Give the configuration's sync a function: merge(\\\(property.owner.name).\(property.name)) { versions in … }."
        )
        : (
          "The program merges it by a function that nobody would call, as it is not `.custom`.",
          "Give it @Attribute(.merge(.custom)), or take the function away."
        )
      throw SwiftDataError(
        .invalidSchema, reason, model: property.owner.name, property: property.name, remedy: remedy)
    }
  }
}
