public import Foundation
public import RoostCore
import RoostEngine
import RoostSQL

extension ModelContext {
  /// Sets properties in all rows that match a predicate, at once and in one statement, without making models.
  ///
  /// ```swift
  /// let count = try context.update(
  ///   model: Note.self, where: #Predicate { $0.author?.name == "Ann" }, set: \.stars += 1, .set(\.isRead, to: true))
  /// ```
  /// It writes what is stored, in a transaction of its own: ``rollback()`` and undo do not take it back. Models with
  /// unsaved changes, which the predicate sees as they are in this context, are edited instead, and written by the next
  /// save; so are all in a draft. Afterwards this context's models have the new values, and other contexts and
  /// observers see the change as they see a save.
  ///
  /// What a save would refuse fails the update, and nothing is written.
  /// - Parameters:
  ///   - model: the type; models of its subclasses are updated too.
  ///   - predicate: which rows; nil for all.
  ///   - assignments: the new values, each computed from the row as it was before.
  /// - Returns: the number of rows and models changed.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` and ``SwiftDataError/unsupportedPredicate`` before any SQL runs;
  ///   ``SwiftDataError/modelValidationFailure`` when a value is too large for its type, no number, or not unique;
  ///   ``SwiftDataError/readOnlyStore``; or what the database reports.
  @discardableResult
  public func update<T>(
    model: T.Type, where predicate: Predicate<T>? = nil, set assignments: Assignment<T>...
  ) throws -> Int where T: PersistentModel {
    let descriptor = FetchDescriptor(predicate: predicate)
    let (entity, query) = try query(descriptor)
    let changes = try assignments.map { try ColumnChange($0, entity, in: self) }
    for (place, change) in changes.enumerated()
    where changes[..<place].contains(where: { $0.property === change.property }) {
      throw ColumnChange.unsettable(
        change.property, of: entity, "It is assigned to twice.", remedy: "Assign to it once.")
    }
    if changes.isEmpty { return 0 }
    // The same values, as this context sees what they are read from.
    let shown =
      try showsRowsAlone ? changes : assignments.map { try ColumnChange($0, entity, in: self, showsPending: true) }
    let read = shown.reduce(into: Set<String>()) { $0.formUnion($1.tables) }
    let tables = query.usesTables.union(read)
    if parent == nil, try overlay(for: tables) == nil {
      return try updateStored(
        BulkUpdate(entity: entity, changes: changes, condition: query.rowCondition, tables: tables))
    }
    let identifiers = try fetchIdentifiers(descriptor, entity, query)
    // Values that are read from pending changes are pending, too.
    let editsAll =
      try parent != nil || overlay(for: read) != nil || zip(changes, shown).contains { $0.value != $1.value }
    let edited = editsAll ? identifiers : identifiers.filter { isPending($0, entity) }
    let values = try newValues(of: edited, entity, shown)
    var count = 0
    if edited.count < identifiers.count {
      let others = Set(edited.lazy.map(\.key))
      let keys = identifiers.lazy.map(\.key).filter { !others.contains($0) }
      count = try updateStored(
        BulkUpdate(entity: entity, changes: changes, condition: query.root.key.isOne(of: keys), tables: tables))
    }
    for (model, values) in values {
      for (change, value) in zip(changes, values) { change.edit(model, value) }
    }
    return count + values.count
  }

  private func updateStored(_ update: BulkUpdate) throws -> Int {
    let count = try store.run(update, by: historyAuthor, isHeard: core.isHeard(writing: update.entity))
    showWritten()
    return count
  }

  /// Whether the next save writes or inserts the model's row.
  private func isPending(_ identifier: PersistentIdentifier, _ entity: EntityInfo) -> Bool {
    guard identifier.key > 0 else { return true }
    return core.existing(ordinal: entity.ordinal, key: identifier.key)?._$state.isPending ?? false
  }

  /// What the database makes the new values of models, as this context sees their rows.
  private func newValues(
    of identifiers: [PersistentIdentifier], _ entity: EntityInfo, _ changes: [ColumnChange]
  ) throws -> [(model: any PersistentModel, values: [SQLValue])] {
    if identifiers.isEmpty { return [] }
    var select = SQLSelect(
      [SQLResultColumn(.column("t0", primaryKeyColumn))] + changes.map { SQLResultColumn($0.value) },
      from: .table(entity.table, alias: "t0"))
    select.filter = SQLExpression.column("t0", primaryKeyColumn).isOne(of: identifiers.lazy.map(\.key))
    let tables = changes.reduce(into: Set([entity.table])) { $0.formUnion($1.tables) }
    let models = Dictionary(identifiers.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    return try SwiftDataError.translating {
      try read(SQLitePrinter.print(select), from: tables, pending: true) { statement in
        var values: [(model: any PersistentModel, values: [SQLValue])] = []
        while try statement.step() {
          guard let identifier = models[statement.int64(0)] else { continue }
          let row = (1...Int32(changes.count)).map { statement.sqlValue($0) }
          for (change, value) in zip(changes, row) where !change.isValue(value) {
            throw BulkUpdate.refusal(change.property, of: entity, row: identifier)
          }
          values.append((model(for: identifier), row))
        }
        return values
      }
    }
  }
}
