/// What a context would save.
///
/// The lists may hold models whose flags say otherwise by now (inserted, then deleted): the flags decide, the lists
/// only keep the order and the models alive.
// SAFETY: a context belongs to one actor, and nothing that changes the lists calls out meanwhile: they only append and
// remove.
package final class PendingChanges {
  @exclusivity(unchecked) private var inserted = ModelList()
  @exclusivity(unchecked) private var changed = ModelList()
  @exclusivity(unchecked) private(set) var deleted = ModelList()
  // SAFETY: the lists keep the models of these, which are set with them and anew when one leaves.
  /// The last model of each entity in a list, by the entity's place in the schema: an answer for most who ask of one.
  @exclusivity(unchecked) private var latest: [_StateAddress?]
  /// What has changed since a query was shown all of it; nil while none was.
  @exclusivity(unchecked) var unshown: Unshown?
  /// Who is linked to whom by what is pending; nil until a list is read meanwhile.
  @exclusivity(unchecked) var links: LinkIndex?
  /// The owners of lists without an inverse, by their members; nil until several deletions ask for them.
  @exclusivity(unchecked) var members: LinkIndex?
  /// The lists whose owners were looked for since the last save.
  @exclusivity(unchecked) var searchedLists: Set<ObjectIdentifier> = []
  /// How many pending models and links were looked at for lists that were read, for tests.
  @exclusivity(unchecked) var linksSeen = 0
  /// Rows of join tables to add (true) or remove, also those to add whose models are to be deleted.
  @exclusivity(unchecked) private(set) var allJoinRows: [JoinRow: Bool] = [:]
  /// Those of them that others may have added or removed as well.
  @exclusivity(unchecked) private var sharedJoinRows: Set<JoinRow> = []
  /// The members of lists that models are appended to.
  let keptLists = KeptLists()
  /// Counts the changes, so that a query knows whether the last one's view of them still holds.
  @exclusivity(unchecked) private(set) var version = 0 {
    didSet {
      guard let onChange else { return }
      self.onChange = nil
      onChange()
    }
  }
  /// Called by the first change.
  @exclusivity(unchecked) var onChange: (() -> Void)?

  /// Counts the changes of each entity, while somebody observes the context.
  @exclusivity(unchecked) var observed: ContextChanges?

  let schema: SchemaInfo

  init(_ schema: SchemaInfo) {
    self.schema = schema
    latest = Array(repeating: nil, count: schema.entities.count)
  }

  /// Returns all models of the lists, and has none pending afterwards: they were saved, or are to be rolled back.
  func take() -> [ModelList] {
    let taken = [inserted, changed, deleted]
    let joinRows = allJoinRows
    (inserted, changed, deleted, allJoinRows, sharedJoinRows) = (ModelList(), ModelList(), ModelList(), [:], [])
    latest = Array(repeating: nil, count: schema.entities.count)
    endShowing()
    forgetLinks()
    onChange = nil
    version += 1
    if let observed {
      for model in taken[0] { observed.note(model) }
      for model in taken[1] { observed.note(model, model._$state.changed) }
      for model in taken[2] { observed.noteDeletion(model) }
      for row in joinRows.keys { observed.note(row) }
    }
    return taken
  }

  var insertedModels: ModelList { inserted.those { $0.state.fate == [.inserted] } }
  /// Without those whose changes were undone.
  var changedModels: ModelList { changed.those { $0.state.fate == [] && $0.state.hasChangedProperties } }
  var deletedModels: ModelList { deleted.those { $0.state.fate == [.deleted] } }

  /// Those that are to be deleted, with those that never had a row.
  var allDeletedModels: ModelList { deleted.those { $0.state.flags.contains(.deleted) } }

  var hasChanges: Bool {
    if isEmpty { return false }
    return changed.states.contains { $0.state.fate == [] && $0.state.hasChangedProperties }
      || inserted.states.contains { $0.state.fate == [.inserted] }
      || deleted.states.contains { $0.state.fate == [.deleted] }
      || !joinRows.isEmpty
  }

  /// Whether there is nothing that a query could be shown, or is kept for a while.
  package var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty && allJoinRows.isEmpty }

  /// Whether a model of an entity, by its place in the schema, may be in a list.
  func isListed(_ ordinal: Int) -> Bool { latest[ordinal] != nil }

  /// Whether a save would write or delete rows of some tables.
  func hasRows(in tables: Set<String>) -> Bool {
    let ordinals = latest.indices.filter { latest[$0] != nil && tables.contains(schema.entities[$0].table) }
    if ordinals.contains(where: { latest[$0]?.state.isPending ?? false }) { return true }
    if ordinals.isEmpty { return false }
    return [inserted, changed, deleted].contains { list in
      list.states.contains { $0.state.isPending && ordinals.contains($0.state.ordinal) }
    }
  }

  /// Whether a save would add or remove links of rows of some tables.
  func hasJoinRows(in tables: Set<String>) -> Bool {
    if allJoinRows.isEmpty { return false }
    return schema.joinTables.contains { join in
      tables.contains(join.name) || tables.contains(join.owner.table) || tables.contains(join.destination.table)
    }
  }

  /// Every model in a list, once or more.
  var all: [any PersistentModel] { inserted + changed + deleted }

  /// A model will be inserted as soon as anybody looks.
  func noteWaiting() {
    version += 1
    observed?.announce()
  }

  func insert(_ model: any PersistentModel) {
    version += 1
    observed?.note(model)
    model._$state.flags.insert(.inserted)
    Self.list(model, .listedInserted, in: &inserted)
    noteListed(model, model._$stateAddress)
  }

  /// Adds a model whose flags say already that it is new and listed.
  func insertListed(_ model: any PersistentModel, _ address: _StateAddress) {
    version += 1
    observed?.note(model)
    inserted.append(model, address)
    noteListed(model, address)
  }

  func change(_ model: any PersistentModel, _ index: Int) {
    version += 1
    observed?.note(model, [index])
    let address = model._$stateAddress
    if address.state.noteChange(index) {
      changed.append(model, address)
      noteListed(model, address)
    } else {
      noteUnshown(model, address)
    }
  }

  /// Notes that a property is again what it was, or different from the store's.
  func restore(_ model: any PersistentModel, _ index: Int, isChanged: Bool) {
    if isChanged { return change(model, index) }
    version += 1
    observed?.note(model, [index])
    model._$state.forgetChange(index)
    noteUnshown(model, model._$stateAddress)
  }

  func delete(_ model: any PersistentModel) {
    version += 1
    observed?.noteDeletion(model)
    model._$state.flags.insert(.deleted)
    keptLists.forget()
    Self.list(model, .listedDeleted, in: &deleted)
    noteListed(model, model._$stateAddress)
  }

  /// Takes a deletion back. What it did to other models stays.
  func undelete(_ model: any PersistentModel) {
    version += 1
    observed?.noteDeletion(model)
    if model._$state.hasChangedProperties { Self.list(model, .listedChanged, in: &changed) }
    noteUnshown(model, model._$stateAddress)
  }

  /// Leaves out models that left the context.
  func forget(_ models: [any PersistentModel]) {
    if models.isEmpty { return }
    version += 1
    models.forEach { observed?.note($0) }
    let gone = Set(models.map { ObjectIdentifier($0) })
    inserted.removeAll { gone.contains(ObjectIdentifier($0)) }
    changed.removeAll { gone.contains(ObjectIdentifier($0)) }
    deleted.removeAll { gone.contains(ObjectIdentifier($0)) }
    latest = Array(repeating: nil, count: schema.entities.count)
    for list in [inserted, changed, deleted] {
      for address in list.states { latest[address.state.ordinal] = address }
    }
    unshown?.forget(models)
    forgetLinks()
  }

  func join(_ row: JoinRow, isLinked: Bool) {
    version += 1
    observed?.note(row)
    unshown?.joinRows?.insert(row)
    links?.note(row)
    // A row removed and added again, or the other way round, is as it was, unless others have done the first as well.
    let isAsBefore = allJoinRows[row] == !isLinked && !sharedJoinRows.contains(row)
    allJoinRows[row] = isAsBefore ? nil : isLinked
  }

  /// Notes that others have written, and that this is shown from now on.
  func noteOthersShown() { sharedJoinRows.formUnion(allJoinRows.keys) }

  /// Takes over from a draft what others may have added or removed as well.
  func share(_ draft: PendingChanges) { sharedJoinRows.formUnion(draft.sharedJoinRows) }

  /// Makes a join row pending to be added (true) or removed, or not at all.
  func setJoinRow(_ row: JoinRow, _ isLinked: Bool?) {
    version += 1
    observed?.note(row)
    unshown?.joinRows?.insert(row)
    links?.note(row)
    allJoinRows[row] = isLinked
  }

  /// Replaces temporary keys by those that a save handed out.
  func replaceKeys(_ permanent: PermanentKeys) {
    mapJoinRows { $0.with(permanent) }
  }

  /// Has other join rows pending instead, of the same models with other keys.
  func mapJoinRows(_ mapped: (JoinRow) -> JoinRow) {
    version += 1
    forgetLinks()
    unshown?.joinRows = nil
    allJoinRows = Dictionary(
      allJoinRows.map { row, isLinked in (mapped(row), isLinked) }, uniquingKeysWith: { _, last in last })
    sharedJoinRows = Set(sharedJoinRows.map(mapped))
  }

  /// Whether a model is to be deleted.
  var hasDeletions: Bool { deleted.states.contains { $0.state.flags.contains(.deleted) } }

  /// The rows of join tables that the next save adds (true) or removes.
  ///
  /// A link of a model that is to be deleted is not among them, until the deletion is taken back.
  var joinRows: [JoinRow: Bool] {
    if allJoinRows.isEmpty || deleted.isEmpty { return allJoinRows }
    let gone = keysOfDeleted
    return allJoinRows.filter { row, isLinked in
      !isLinked || !(gone[row.table]?.contains { $0.value.contains(row.key(in: $0.key)) } ?? false)
    }
  }

  /// The keys of models to be deleted, by the join tables and columns that refer to them.
  private var keysOfDeleted: [String: [String: Set<Int64>]] {
    var keys: [String: [String: Set<Int64>]] = [:]
    for (ordinal, models) in Dictionary(grouping: allDeletedModels, by: { $0._$state.ordinal }) {
      let entity = schema.entities[ordinal]
      for (lists, isOwner) in [(entity.lists, true), (entity.unknownLists, false)] {
        for list in lists {
          guard case .joinTable(let table, let own, let other) = list.relationship?.storage else { continue }
          keys[table, default: [:]][isOwner ? own : other, default: []].formUnion(models.map { $0._$state.key })
        }
      }
    }
    return keys
  }

  private func noteListed(_ model: any PersistentModel, _ address: _StateAddress) {
    latest[address.state.ordinal] = address
    noteUnshown(model, address)
  }

  // Static, so that the list is changed in place: a method of the struct would hold a second copy of it.
  private static func list(
    _ model: any PersistentModel, _ flag: _ModelState.Flags, in models: inout ModelList
  ) {
    let address = model._$stateAddress
    guard !address.state.flags.contains(flag) else { return }
    address.state.flags.insert(flag)
    models.append(model, address)
  }
}

extension _ModelState {
  /// Whether the model is new, and whether it is to be deleted.
  fileprivate var fate: Flags { flags.intersection([.inserted, .deleted]) }

  /// Whether a save would write or delete the row. What the lists hold may have been taken back.
  package var isPending: Bool { fate.isEmpty ? hasChangedProperties : fate != [.inserted, .deleted] }
}

/// One row of a join table. The same row, whichever side it is seen from.
struct JoinRow: Hashable {
  let table: String
  let columns: (String, String)
  let keys: (Int64, Int64)

  init(table: String, columns: (String, String), keys: (Int64, Int64)) {
    self.table = table
    let isOrdered = columns.0 <= columns.1
    self.columns = isOrdered ? columns : (columns.1, columns.0)
    self.keys = isOrdered ? keys : (keys.1, keys.0)
  }

  /// The row that stands for a link, if one does.
  init?(_ relationship: RelationshipInfo, _ owner: @autoclosure () -> Int64, _ target: @autoclosure () -> Int64) {
    guard case .joinTable(let table, let own, let other) = relationship.storage else { return nil }
    self.init(table: table, columns: (own, other), keys: (owner(), target()))
  }

  /// The same, after a save gave rows to models that had none.
  func with(_ permanent: PermanentKeys) -> JoinRow { mapKeys { key, _ in permanent[key] } }

  /// The same, with other keys in its columns.
  func mapKeys(_ key: (Int64, String) -> Int64) -> JoinRow {
    JoinRow(table: table, columns: columns, keys: (key(keys.0, columns.0), key(keys.1, columns.1)))
  }

  func key(in column: String) -> Int64 { columns.0 == column ? keys.0 : keys.1 }

  /// Whether both rows are in the store, or were.
  var isStored: Bool { keys.0 > 0 && keys.1 > 0 }

  static func == (lhs: JoinRow, rhs: JoinRow) -> Bool {
    lhs.keys == rhs.keys && lhs.table == rhs.table && lhs.columns == rhs.columns
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    hasher.combine(keys.0)
    hasher.combine(keys.1)
  }
}
