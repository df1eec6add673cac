import Foundation
import Observation
import RoostCore
import RoostEngine
import RoostSQL

// Results brought up to date by the rows that changed: those are asked for by their keys, and each gets its place by a
// binary search in the order of SQL. All rows that nobody changed stand in that order already.
extension ResultsObserver {
  /// The columns that a row must change in for the results to be others; nil where any change has all fetched again.
  ///
  /// That is the rule for what is not worth a way of its own, or cannot be told of a row by itself: a bound on the
  /// number of models, other rows that have a say, a draft, models without all their values.
  func watchedColumns(_ query: QueryBuilder) -> WatchedColumns? {
    let store = modelContext.store
    guard modelContext.core.parent == nil, store.backfills == nil, !store.pool.isShared,
      descriptor.includePendingChanges, descriptor.fetchAfter == nil, descriptor.propertiesToFetch.isEmpty
    else { return nil }
    return query.ownColumns.map { WatchedColumns($0, of: table, store.schema) }
  }

  /// Of how many rows finding the places takes no more than an eighth of fetching all.
  private var fewRows: Int { models.count / 8 / ((models.count + 1).bitWidthInUse + 2) }

  /// Brings the results up to date by the rows that changed; false if all are to be fetched again.
  ///
  /// `written` is what others wrote; what is found to have been written meanwhile is added.
  func placeChanges(_ written: inout OthersWrites) throws -> Bool {
    guard let watchedColumns, lastError == nil else { return false }
    var change = ChangedRows<Element>(mostKeys: fewRows)
    // Somebody may write just now, again and again.
    for _ in 0..<4 {
      modelContext.noticeOtherSaves()
      written.add(signal.takeWritten())
      guard let writes = written.writes else { return false }
      for write in writes { change.add(write, modelContext.core, watchedColumns) }
      guard let touches = takeTouches() else { return false }
      for touch in touches { change.add(touch, modelContext.core, watchedColumns) }
      guard !change.mayBeAnyRow, !change.areTooMany else { return false }
      for model in change.takeUnannounced() {
        model._$announceAll(willChange: true)
        announced.append(model)
      }
      guard let places = try places(of: change) else { continue }
      try readUnmoved(change)
      try show(places, change)
      return true
    }
    return false
  }

  /// The context's own changes of models since this was last asked; nil when any model may have changed.
  func takeTouches() -> [ContextChanges.Touch]? {
    seenCount = changeCount
    var all: [ContextChanges.Touch]? = []
    // Of each in turn, as each notes how far it was read.
    for (edits, reader) in zip(edits, readers) {
      if let touches = edits.takeTouches(for: reader) { all?.append(contentsOf: touches) } else { all = nil }
    }
    return all
  }

  /// Where the changed rows' models are among the results, and where they belong; nil when more was changed meanwhile.
  private func places(of change: ChangedRows<Element>) throws -> ChangedPlaces<Element>? {
    var places = ChangedPlaces<Element>()
    guard !change.keys.isEmpty else {
      places.removals = models.positions(of: change.moved)
      return places
    }
    let (entity, whole) = try modelContext.query(descriptor, sectionBy: section?.keyPath)
    var query = whole
    query.restrict(query.root.key.isOne(of: Array(change.keys)))
    return try SwiftDataError.translating(SwiftDataError.querying) {
      try modelContext.read(from: query.usesTables, pending: true) { connection in
        // Of a transaction that is under way nobody knows what it has seen.
        if connection.isInTransaction { return nil }
        return try connection.transaction(.deferred) {
          let found = try models(entity, query, connection)
          // What this transaction sees was committed before, and was told if nobody is about to tell.
          guard modelContext.store.observers.isAllTold, !signal.hasWritten, changeCount == seenCount else { return nil }
          places.removals = models.positions(of: change.moved.union(found.map(ObjectIdentifier.init)))
          guard try place(found, &places, query, connection) else { return nil }
          return places
        }
      }
    }
  }

  private func models(_ entity: EntityInfo, _ query: QueryBuilder, _ connection: Connection) throws -> [Element] {
    let text = SQLitePrinter.print(query.select(modelContext.store.statements(entity).columns))
    let statement = try connection.statement(text.sql)
    defer { statement.reset() }
    statement.bind(text.arguments)
    var rows = _ModelRows(modelContext.core, entity, statement)
    return try Element._$models(&rows)
  }

  /// Finds the places of models among those that did not change. False if one of these has no row, against expectation.
  private func place(
    _ found: [Element], _ places: inout ChangedPlaces<Element>, _ query: QueryBuilder, _ connection: Connection
  ) throws -> Bool {
    if found.isEmpty { return true }
    let values = try positionValues(query, connection)
    let count = models.count - places.removals.count
    var start = 0
    for model in found {
      guard let values = values[model._$state.key] else { return false }
      let text = SQLitePrinter.print(query.selectIsBehind(values))
      guard let parameter = text.arguments.firstIndex(of: .null) else { return false }
      let statement = try connection.statement(text.sql)
      defer { statement.reset() }
      statement.bind(text.arguments)
      var end = count
      while start < end {
        let middle = (start + end) / 2
        statement.bind(models[places.position(ofUnchanged: middle)]._$state.key, at: Int32(parameter + 1))
        guard try statement.step() else { return false }
        if statement.int64(0) != 0 { end = middle } else { start = middle + 1 }
        statement.reset()
      }
      places.insertions.append((start, model))
    }
    return true
  }

  /// What the changed rows are sorted by, by their keys.
  private func positionValues(_ query: QueryBuilder, _ connection: Connection) throws -> [Int64: [SQLValue]] {
    let text = SQLitePrinter.print(query.selectPositions)
    let statement = try connection.statement(text.sql)
    defer { statement.reset() }
    statement.bind(text.arguments)
    var values: [Int64: [SQLValue]] = [:]
    while try statement.step() {
      values[statement.int64(0)] = (1...Int32(Swift.max(query.orders.count, 1))).map { statement.sqlValue($0) }
    }
    return values
  }

  /// Reads what others changed of models among the results that stay where they are.
  private func readUnmoved(_ change: ChangedRows<Element>) throws {
    if change.unmoved.isEmpty { return }
    let positions = models.positions(of: Set(change.unmoved.keys))
    try modelContext.core.readAgain(positions.map { models[$0] })
  }

  private func show(_ places: ChangedPlaces<Element>, _ change: ChangedRows<Element>) throws {
    var touched = change.touched
    touched.formUnion(places.insertions.map { ObjectIdentifier($0.model) })
    let kept = Set(places.insertions.map { ObjectIdentifier($0.model) })
    let left = places.removals.map { models[$0] }.filter { !kept.contains(ObjectIdentifier($0)) }
    try modelContext.core.readAgain(left.filter { change.isWritten($0) })
    lastTouched = touched
    // Models of a section may be where they were, and the section have another title.
    if places.areSame(as: models), section == nil || change.moved.isEmpty { return }
    registrar.willSet(self, keyPath: \.results)
    if section != nil { registrar.willSet(self, keyPath: \.sections) }
    show(changed(by: places))
    if section != nil { registrar.didSet(self, keyPath: \.sections) }
    registrar.didSet(self, keyPath: \.results)
  }

  /// The results after the changes. Until they are shown there are none, so that nothing is copied.
  private func changed(by places: ChangedPlaces<Element>) -> Found {
    let models = models
    self.models = []
    shownResults = FetchResultsCollection([])
    shownSections = nil
    return found(places.applied(to: consume models))
  }
}

extension Int {
  /// How many bits a number from 0 on takes.
  fileprivate var bitWidthInUse: Int { Int.bitWidth - leadingZeroBitCount }
}
