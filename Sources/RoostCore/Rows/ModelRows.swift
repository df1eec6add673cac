package import RoostEngine

/// The rows of a query over one entity, to be made into models.
///
/// The loop over them is `PersistentModel._$collect(_:)`, which the compiler specialises in the program: it knows the
/// model's initialiser and the array's element there, and here it does not.
@_documentation(visibility: private)
public struct _ModelRows {
  /// Where the current row's values are read from.
  public var row: _RowReader
  private let core: ContextCore
  /// That of the current row.
  private var entity: EntityInfo
  private let statement: Statement
  /// What the rows may be, where they may be of several classes.
  private let types: RowTypes?
  /// The columns of the key and of the class.
  private let keyColumn: Int32
  private let typeColumn: Int32
  /// Whether the query is the program's own: its keys may be anything, and come twice.
  let isForeign: Bool
  private var key: Int64 = 0
  /// Whether the identity map had no object of the entity before this query's.
  private var isAlone = false
  /// A page of the identity map that had no object before this query's; the least number, which no page has, for none.
  private var emptyPage = Int64.min
  /// The page that a live object was found on last: those next to it need not ask whether there is any.
  private var occupiedPage = Int64.min
  /// Whether the current row is on that page, and so has no live object.
  public private(set) var isFresh = false
  /// Whether a row was registered: what has only one needs no list.
  private var isPastFirst = false
  /// Objects of that page that the map has not been given yet: one lock for all of them.
  private var unregistered: [(address: UInt, key: Int64)] = []
  /// Whether the reader is one that a row's type chose.
  private var isTyped = false

  /// `columns`: those that the query reads; nil for all.
  package init(_ core: ContextCore, _ entity: EntityInfo, _ statement: Statement, columns: [String]? = nil) {
    self.core = core
    self.entity = entity
    self.statement = statement
    (keyColumn, typeColumn, isForeign) = (0, 1, false)
    types = entity.isMixed ? columns.map { RowTypes(entity, $0) } ?? core.store.statements(entity).types : nil
    row = _RowReader(statement, entity, columns: columns.map { entity.positions(in: $0) })
    isAlone = core.identities.isEmpty(ordinal: entity.ordinal)
  }

  /// The rows of a program's own query, whose columns have the names of the store's, in any order.
  package init(_ core: ContextCore, _ entity: EntityInfo, foreign statement: Statement) throws {
    self.core = core
    self.entity = entity
    self.statement = statement
    isForeign = true
    let columns = try ForeignColumns(statement, entity)
    (keyColumn, typeColumn) = (columns.key, columns.type)
    types = entity.isInHierarchy ? RowTypes(entity, columns.names, isWhole: columns.isWhole) : nil
    row = _RowReader(
      statement, entity, columns: entity.positions(in: columns.names), isWhole: columns.isWhole)
  }

  /// Whether the loop over the rows must look at each row's class or key.
  var isMixed: Bool { types != nil || isForeign }

  /// The class of the current row, as its type column says.
  mutating func readType() throws -> any PersistentModel.Type {
    if isForeign, key <= 0 || statement.isNull(keyColumn) { try checkForeignKey() }
    guard let types else { return entity.type }
    let name = statement.string(typeColumn)
    if entity.name != name || !isTyped {
      guard let type = types.byName[name] else {
        if isForeign, let error = ForeignColumns.otherClass(name, than: types, entity) { throw error }
        throw core.store.unknownType(entity, name, key: key)
      }
      entity = type.entity
      row = _RowReader(statement, entity, columns: type.columns, isWhole: types.isWhole)
      isTyped = true
    }
    return entity.type
  }

  /// Only models that this context has may have a key that is no row's.
  private func checkForeignKey() throws {
    if statement.isNull(keyColumn) { throw ForeignColumns.noKey(entity) }
    guard key < 0, core.identities.contains(ordinal: entity.ordinal, key: key) else {
      throw ForeignColumns.noKey(entity)
    }
    try core.check(key, of: entity)
  }

  public mutating func next() throws -> Bool {
    guard try statement.step() else {
      registerRead()
      return false
    }
    key = statement.int64(keyColumn)
    if key <= 0, !isForeign { try core.check(key, of: entity) }
    row.rewind()
    // Rows mostly come in key order and are new: then one question answers for a thousand.
    isFresh = isAlone || IdentityMap.page(of: key) == emptyPage
    return true
  }

  /// The live object of the current row.
  public mutating func live() -> AnyObject? {
    registerRead()
    let page = IdentityMap.page(of: key)
    if !isForeign, page != occupiedPage {
      isFresh = core.identities.isEmpty(ordinal: entity.ordinal, page: page)
      emptyPage = isFresh ? page : .min
      if isFresh { return nil }
    }
    guard let object = core.identities.object(ordinal: entity.ordinal, key: key) else { return nil }
    occupiedPage = page
    if types != nil, let model = object as? any PersistentModel, model._$state.ordinal != entity.ordinal {
      // Another program made it a row of another class. What an object is never changes.
      core.noteGone(model)
      return nil
    }
    row.isNew = false
    return object
  }

  /// Makes a model that was read from the current row the context's own.
  public mutating func register(_ state: inout _ModelState, _ object: UnsafeMutableRawPointer) throws {
    try check()
    state.register(in: core, ordinal: entity.ordinal, key: key, object)
    if isFresh, isPastFirst {
      unregistered.append((UInt(bitPattern: object), key))
      if unregistered.count == 256 { registerRead() }
    } else {
      core.identities.insert(object, ordinal: entity.ordinal, key: key)
      isPastFirst = true
    }
  }

  private mutating func registerRead() {
    if unregistered.isEmpty { return }
    core.identities.insert(unregistered, ordinal: entity.ordinal)
    unregistered.removeAll(keepingCapacity: true)
  }

  /// Whether the store's values may replace those of a model. Those with pending changes stay in any case.
  public mutating func mayRefresh(_ state: borrowing _ModelState) -> Bool {
    if state.flags.contains(.inserted) { return false }
    if state.flags.contains(.deleted) && !state.flags.contains(.shell) {
      // It may stay after all. What it refers to the deletion knows.
      if state.hasChangedProperties, core.mergePolicy == .ownObjectWins { return false }
      var kept = state.changed
      kept.formUnion(core.schema.entities[state.ordinal].relationshipSet)
      row.kept = kept
      return true
    }
    if state.hasChangedProperties {
      row.kept = state.changed
      if core.mergePolicy == .ownObjectWins, !state.flags.contains(.shell) {
        guard let merges = core.merges else { return false }
        // But for what has a rule, which comes before the policy.
        let all = PropertySet(core.schema.entities[state.ordinal].properties.map(\.index))
        row.kept?.formUnion(all.subtracting(merges.attributes(of: state.ordinal)))
      }
    }
    return true
  }

  public mutating func refreshed(_ state: inout _ModelState) throws {
    if row.kept != nil { row.kept = nil }
    try check()
    state.flags.subtract(row.isWhole ? [.shell, .vanished] : [.vanished])
  }

  /// Gives a model the current row's values, and tells whoever observes it.
  @usableFromInline
  mutating func refresh(_ model: some PersistentModel) throws {
    guard model._$state.isObserved else {
      model._$read(&row)
      return try refreshed(&model._$state)
    }
    try core.tellingChanges(of: [model]) {
      model._$read(&row)
      try refreshed(&model._$state)
    }
  }

  private func check() throws {
    if let failure = row.failure { throw core.store.corruptValue(entity, failure, key: key, row.refusal) }
  }
}

extension PersistentModel {
  /// The objects of all rows in their order: live ones, brought up to date unless they have changes, or new ones.
  @_documentation(visibility: private)
  public static func _$models(_ rows: inout _ModelRows) throws -> [Self] {
    // SAFETY: `_$collect` appends instances of `Self` alone, and an array of a class is one of its references. A
    // requirement that returned `[Self]` could not be met by a class that is not final.
    unsafeBitCast(rows.isMixed ? try collectMixed(&rows) : try _$collect(&rows), to: [Self].self)
  }

  /// As `_$collect(_:)`, of rows that may be of subclasses, whose code the compiler cannot know here.
  private static func collectMixed(_ rows: inout _ModelRows) throws -> [AnyObject] {
    var models: [AnyObject] = []
    while try rows.next() {
      let type = try rows.readType()
      models.append(try type.model(of: &rows))
    }
    return models
  }

  /// One turn of the loop of `_$collect(_:)`, which must stay as the compiler specialises it.
  private static func model(of rows: inout _ModelRows) throws -> AnyObject {
    if !rows.isFresh, let model = rows.live() as? Self {
      if rows.mayRefresh(model._$state) { try rows.refresh(model) }
      return model
    }
    let model = Self(_$row: &rows.row)
    // SAFETY: the address is kept by the identity map, which the model leaves in its deinit.
    try rows.register(&model._$state, Unmanaged.passUnretained(model).toOpaque())
    return model
  }

  @inlinable @_documentation(visibility: private)
  public static func _$collect(_ rows: inout _ModelRows) throws -> [AnyObject] {
    var models: [AnyObject] = []
    while try rows.next() {
      if !rows.isFresh, let model = rows.live() as? Self {
        if rows.mayRefresh(model._$state) {
          if model._$state.needsAttention {
            try rows.refresh(model)
          } else {
            model._$read(&rows.row)
            try rows.refreshed(&model._$state)
          }
        }
        models.append(model)
      } else {
        let model = Self(_$row: &rows.row)
        // SAFETY: as above.
        try rows.register(&model._$state, Unmanaged.passUnretained(model).toOpaque())
        models.append(consume model)
      }
    }
    return models
  }
}
