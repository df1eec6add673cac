import RoostCore
import RoostEngine
import SyncMerge

/// Which edits come before others where not all goes in one push.
///
/// The server takes each part by itself. A deletion would be refused, or take rows along, that the same save moved
/// away; and a row would become another one whose unique values it has from it.
struct PartOrder: Sendable {
  /// What no two rows have.
  struct Values: Hashable {
    let entity: Int
    let fields: [Int]
    let values: [SyncValue]
  }

  /// The rows that were moved away from others which they would keep, or go with, by these.
  fileprivate(set) var movedAway: [SyncRowID: [SyncRowID]] = [:]
  /// The row that gave unique values up.
  fileprivate(set) var givenUp: [Values: SyncRowID] = [:]
}

/// An order that was made.
struct KnownPartOrder: Sendable {
  /// Of the change that goes in parts up to a transaction of history.
  let end: Int64
  /// The last transaction of history that was noted.
  var transaction: Int64
  let order: PartOrder
}

extension SyncTransaction {
  /// The rows whose edits come before a row's, in a change that goes in parts up to a transaction of history.
  func rows(before known: KnownRow, _ entity: BoundContract.Entity, upTo end: Int64) throws -> [SyncRowID] {
    guard let edit = known.replica.pending else { return [] }
    if edit.kind == .delete {
      guard contract.deletedFirst.contains(entity.number) else { return [] }
      let rows = try order(upTo: end).movedAway[edit.row] ?? []
      return try rows.filter { row in
        try self.known(row)?.replica.pending?.fields.contains { $1.ancestor.references.contains(edit.row) } ?? false
      }
    }
    let values = try uniqueValues(of: known, entity) { $0.value }
    if values.isEmpty { return [] }
    let order = try order(upTo: end)
    return try values.compactMap { values in
      // A part of its edit may have been sent since.
      guard let row = order.givenUp[values], let edit = try self.known(row)?.replica.pending else { return nil }
      return values.fields.contains { edit.fields[$0] != nil } ? row : nil
    }
  }

  /// The order of what waits, which is read once for all parts, unless programs write in between.
  private func order(upTo end: Int64) throws -> PartOrder {
    if let known = partOrder, known.end == end { return known.order }
    var (order, needed): (PartOrder, [SyncRowID: Set<Int>]) = (PartOrder(), [:])
    let classes = contract.byOrdinal.values.filter {
      contract.uniqueness[$0.number] != nil || contract.keeping[$0.number] != nil
    }.map(historyNumber)
    let isEdit =
      "turn IS NOT NULL AND turn < \(KnownRow.whenShown) AND pk >= 0 AND sequence <> 0 "
      + "AND +entity IN (\(classes.sqlList)) ORDER BY turn"
    for (entity, key) in try keys(isEdit, limit: -1) {
      guard let known = try known(key, of: entity), let edit = known.replica.pending, edit.kind == .update else {
        continue
      }
      for row in try rowsMovedFrom(by: edit, entity, &needed) { order.movedAway[row, default: []].append(edit.row) }
      let present = Set(try uniqueValues(of: known, entity) { $0.value })
      for values in try uniqueValues(of: known, entity, \.ancestor) where !present.contains(values) {
        order.givenUp[values] = edit.row
      }
    }
    partOrder = KnownPartOrder(end: end, transaction: state.transaction, order: order)
    return order
  }

  /// What a row has of what is unique and an edit of it has a part of. `value`: which value of the edit's.
  private func uniqueValues(
    of known: KnownRow, _ entity: BoundContract.Entity, _ value: (SyncFieldEdit) -> SyncValue
  ) throws -> [PartOrder.Values] {
    guard let edit = known.replica.pending else { return [] }
    let constraints = (contract.uniqueness[entity.number] ?? []).filter { $0.contains { edit.fields[$0] != nil } }
    var stored: StoredRow?
    return try constraints.compactMap { fields in
      let values = try fields.map { number in
        if let field = edit.fields[number] { return value(field) }
        stored = try stored ?? storedRow(known.key, entity)
        guard let stored, let index = entity.indexes[number] else { return SyncValue.null }
        return try self.value(at: index, of: stored, known.key, entity) ?? .null
      }
      return values.contains(.null) ? nil : PartOrder.Values(entity: entity.number, fields: fields, values: values)
    }
  }

  /// The rows that an edit moves its row away from, which this would keep, or go with. Not those whose deletions are to
  /// come first all the same, as the edit, or a new row that it needs, may have the unique values that they had.
  private func rowsMovedFrom(
    by edit: SyncEdit, _ entity: BoundContract.Entity, _ needed: inout [SyncRowID: Set<Int>]
  ) throws -> [SyncRowID] {
    let keeping = contract.keeping[entity.number] ?? []
    let rows = try edit.fields.filter { keeping.contains($0.key) }.values.flatMap(\.ancestor.references)
      .filter { try known($0)?.replica.pending?.kind == .delete }
    if rows.isEmpty { return [] }
    var classes = try newUniqueRows(neededBy: edit, &needed)
    let unique = contract.uniqueness[entity.number] ?? []
    if unique.contains(where: { $0.contains { edit.fields[$0] != nil } }) { classes.insert(entity.number) }
    return rows.filter { !classes.contains($0.entity) }
  }

  /// The classes with unique values of new rows that are to be sent before an edit. `needed`: those
  /// by the rows that edits refer to.
  private func newUniqueRows(neededBy edit: SyncEdit, _ needed: inout [SyncRowID: Set<Int>]) throws -> Set<Int> {
    try edit.fields.values.flatMap(\.value.references).reduce(into: []) { classes, row in
      if let known = needed[row] { return classes.formUnion(known) }
      var (visited, waiting, found): (Set<SyncRowID>, [SyncRowID], Set<Int>) = ([row], [row], [])
      while let next = waiting.popLast() {
        guard let new = try known(next)?.replica.pending, new.kind == .insert else { continue }
        if contract.uniqueness[next.entity] != nil { found.insert(next.entity) }
        for other in new.fields.values.flatMap(\.value.references) where visited.insert(other).inserted {
          waiting.append(other)
        }
      }
      needed[row] = found
      classes.formUnion(found)
    }
  }
}
