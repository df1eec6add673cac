import RoostCore

/// The rows of an observer's query that are known to have changed.
struct ChangedRows<Element: PersistentModel> {
  /// Those that may have come to the results, left them or moved there.
  private(set) var keys: Set<Int64> = []
  /// The models of those rows, and those that have none any more.
  private(set) var moved: Set<ObjectIdentifier> = []
  /// Models of which others changed what says neither whether they are results nor where.
  private(set) var unmoved: [ObjectIdentifier: any PersistentModel] = [:]
  /// All models that may have other values.
  private(set) var touched: Set<ObjectIdentifier> = []
  /// Whether any row may have changed in what counts, as one that it refers to without an inverse goes or stays.
  private(set) var mayBeAnyRow = false
  /// Models whose rows others wrote.
  private var written: Set<ObjectIdentifier> = []
  private var unannounced: [any PersistentModel] = []
  /// Of more keys nobody wants to know each.
  private let mostKeys: Int

  init(mostKeys: Int) { self.mostKeys = mostKeys }

  /// Whether there are more keys than anybody wants to know. There may be others still then.
  var areTooMany: Bool { keys.count > mostKeys }

  /// Adds what others wrote.
  mutating func add(_ write: WrittenRows, _ core: ContextCore, _ columns: WatchedColumns) {
    for (ordinal, rows) in write.rows {
      guard let (stored, watched) = columns.properties[ordinal] else { continue }
      for key in [rows.inserted, rows.deleted].joined() {
        if areTooMany { return }
        add(key, ordinal, core, isMoved: true)
      }
      for (key, properties) in rows.updated where !properties.isDisjoint(with: stored) {
        if areTooMany { return }
        add(key, ordinal, core, isMoved: !properties.isDisjoint(with: watched))
      }
    }
  }

  private mutating func add(_ key: Int64, _ ordinal: Int, _ core: ContextCore, isMoved: Bool) {
    if isMoved { keys.insert(key) }
    guard let model = core.existing(ordinal: ordinal, key: key) else { return }
    let identifier = ObjectIdentifier(model)
    touched.insert(identifier)
    if isMoved { moved.insert(identifier) } else { unmoved[identifier] = model }
    if written.insert(identifier).inserted, model._$state.isObserved { unannounced.append(model) }
  }

  /// Adds a change of the context's own.
  mutating func add(_ touch: ContextChanges.Touch, _ core: ContextCore, _ columns: WatchedColumns) {
    let (model, identifier) = (touch.model, ObjectIdentifier(touch.model))
    for referrer in touch.referrers {
      if columns.properties[referrer.owner.ordinal]?.watched.contains(referrer.index) ?? false { mayBeAnyRow = true }
    }
    guard model._$state.core === core else {
      if model is Element {
        touched.insert(identifier)
        moved.insert(identifier)
      }
      return
    }
    guard let watched = columns.properties[model._$state.ordinal]?.watched else { return }
    touched.insert(identifier)
    if let properties = touch.properties, properties.isDisjoint(with: watched) { return }
    moved.insert(identifier)
    keys.insert(model._$state.key)
  }

  /// Whether others wrote to a model's row.
  func isWritten(_ model: Element) -> Bool { written.contains(ObjectIdentifier(model)) }

  /// The models whose observers do not know yet that others wrote to their rows.
  mutating func takeUnannounced() -> [any PersistentModel] {
    defer { unannounced = [] }
    return unannounced
  }
}

/// The columns that a row must change in for a query's results to be others.
struct WatchedColumns {
  /// By the places in the schema of the table's classes: what has a column at all, and what has one of these.
  let properties: [Int: (stored: PropertySet, watched: PropertySet)]

  init(_ names: Set<String>, of table: String, _ schema: SchemaInfo) {
    var properties: [Int: (stored: PropertySet, watched: PropertySet)] = [:]
    for entity in schema.entities where entity.table == table {
      let stored = entity.properties.filter { $0.column != nil }
      let watched = stored.filter { $0.column.map(names.contains) ?? false }
      properties[entity.ordinal] = (PropertySet(stored.map(\.index)), PropertySet(watched.map(\.index)))
    }
    self.properties = properties
  }
}

/// Where changed models were among results, and where they belong.
struct ChangedPlaces<Element: PersistentModel> {
  /// The former positions of those that were among the results, ascending.
  var removals: [Int] = []
  /// Before how many of the unchanged ones each belongs, ascending.
  var insertions: [(place: Int, model: Element)] = []

  /// Where one of the unchanged results stands among all.
  func position(ofUnchanged place: Int) -> Int {
    // The removals before it: the first `count` of them, if that many stand at least so far in front.
    var (low, high) = (0, removals.count)
    while low < high {
      let middle = (low + high) / 2
      if removals[middle] - middle <= place { low = middle + 1 } else { high = middle }
    }
    return place + low
  }

  /// Whether nothing changes.
  func areSame(as models: [Element]) -> Bool {
    removals.count == insertions.count
      && insertions.indices.allSatisfy { index in
        removals[index] == insertions[index].place + index && models[removals[index]] === insertions[index].model
      }
  }

  func applied(to models: consuming [Element]) -> [Element] {
    models.replacing(removals, by: insertions.enumerated().map { ($1.place + $0, $1.model) })
  }
}
