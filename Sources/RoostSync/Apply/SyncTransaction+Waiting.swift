import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Which of the collected rows cannot be shown yet.
extension SyncTransaction {
  /// Those that refer to a row which this device does not have, or whose class or value it does not know, or whose
  /// unique values a row has that the server does not know of yet; and those that refer to them. Deletions that
  /// would take along what others have moved away, of which a later page tells, or a row here that waits to be moved
  /// away, or was moved here since.
  ///
  /// `refused`: rows that the database would not take. `isLast`: whether no page comes after this one.
  func waitingRows(besides refused: RefusedRows, isLast: Bool) throws -> Set<SyncRowID> {
    var (waiting, unknown) = (refused.rows, refused.unshowable.union(refused.doubled))
    try forEachCollected { record, taken in
      // Another program on the file shows it.
      if contract.byNumber[record.row.entity] == nil { unknown.insert(record.row) }
      if record.deletion != nil { return }
      if !waiting.isEmpty && waiting.contains(record.row) || !unknown.isEmpty && unknown.contains(record.row) { return }
      if try isOfUnknownClass(record) || hasUnknownValue(record) {
        unknown.insert(record.row)
      } else if try !isShowable(record, taken) {
        waiting.insert(record.row)
      }
    }
    try addReferrers(to: &unknown)
    let hidden = unknown
    // SQLite would not remove what a hidden row keeps, either.
    if !hidden.isEmpty {
      unknown.formUnion(try deletionsToWait(for: contract.dependents) { hidden.contains($0.replica.row) })
    }
    inbox.setUnknown(unknown)
    waiting.formUnion(unknown)
    try addReferrers(to: &waiting)
    return waiting.union(
      try deletionsToWait(for: contract.members) { [waiting] known in
        // What is to be sent once its row is shown is of a row that is shown now.
        let isToBeSent = !known.replica.isSynced && !known.isTooLarge && known.turn != KnownRow.whenShown
        return !isLast || waiting.contains(known.replica.row) || isToBeSent
      })
  }

  /// Adds those that refer to new rows among them, and those that refer to these.
  private func addReferrers(to rows: inout Set<SyncRowID>) throws {
    func isNew(_ row: SyncRowID) throws -> Bool { try known(row).map { $0.key < 0 } ?? true }
    var found = try rows.sorted().filter(isNew)
    if found.isEmpty { return }
    // Once: rows that refer to each other may be a chain of all that there are.
    var referrers: [SyncRowID: [SyncRowID]] = [:]
    forEachCollected { record, _ in
      if record.deletion != nil { return }
      // What a later program made of a field is no reason to hide the row from this one.
      for number in contract.byNumber[record.row.entity]?.numbers ?? [] {
        for row in record.fields[number]?.value.references ?? [] { referrers[row, default: []].append(record.row) }
      }
    }
    while let row = found.popLast() {
      for referrer in referrers[row] ?? [] where rows.insert(referrer).inserted {
        if try isNew(referrer) { found.append(referrer) }
      }
    }
  }

  private func isOfUnknownClass(_ record: SyncRecord) -> Bool {
    guard let entity = contract.byNumber[record.row.entity] else { return true }
    return entity.sql.hasTypes && className(of: record, entity) == nil
  }

  /// Whether an attribute has a value that only a later program can read: with such a row no
  /// fetch of the model would succeed.
  private func hasUnknownValue(_ record: SyncRecord) throws -> Bool {
    guard let entity = contract.byNumber[record.row.entity] else { return false }
    for index in entity.unreadable {
      guard let value = record.fields[entity.numbers[index]]?.value else { continue }
      if try !canShow(value, in: entity.fields[index]) { return true }
    }
    return false
  }

  /// Whether a fetch could read a value.
  func canShow(_ value: SyncValue, in field: SyncedField) throws -> Bool {
    guard value != .null, field.mayBeUnreadable else { return true }
    if case .integer = value, field.readsAllIntegers { return true }
    return try column(value, field).map(field.canRead) ?? true
  }

  private func isShowable(_ record: SyncRecord, _ taken: Int64) throws -> Bool {
    guard let entity = contract.byNumber[record.row.entity] else { return false }
    for (number, field) in record.fields {
      let references = field.value.references
      guard !references.isEmpty, let index = entity.indexes[number] else { continue }
      for row in references {
        let entry = inbox.entry(of: row)
        if entry?.record.deletion != nil { continue }
        guard let known = try known(row) else {
          if entry != nil { continue }
          return false
        }
        if let entry, known.key > 0 || !staysGone(known, entry) { continue }
        guard let reference = entity.fields[index].definition.reference, reference.deleteRule != .noAction else {
          continue
        }
        // One that is gone here, and that the server has again; or that this device has deleted
        // since, which the server may refuse.
        if known.key < 0 { return false }
      }
    }
    guard let shown = try shown(record, taken) else { return true }
    return try unsentRow(withValuesOf: shown, entity) == nil
  }

  /// Another row that has unique values of the record, of which the server has yet to hear what this device did to it.
  func unsentRow(withValuesOf record: SyncRecord, _ entity: BoundContract.Entity) throws -> KnownRow? {
    for each in entity.synced.classes where !each.uniqueness.isEmpty {
      for keys in each.uniqueness {
        var (conditions, values, numbers): ([SQLExpression], [SQLValue], Set<Int>) = ([], [], [])
        for property in keys.map({ each.properties[$0.property] }) {
          guard
            let index = entity.fields.firstIndex(where: { $0.property.details === property.details && !$0.isPosition }),
            let name = property.column, let value = record.fields[entity.numbers[index]]?.value,
            let stored = try column(value, entity.fields[index]), stored != SQLValue.null
          else { continue }
          conditions.append(.binary(.equal, .column(name), .parameter))
          values.append(stored)
          numbers.insert(entity.numbers[index])
        }
        guard conditions.count == keys.count, !keys.isEmpty else { continue }
        let select = SQLSelect(
          [SQLResultColumn(.column(primaryKeyColumn))], from: .table(entity.root.table), where: .all(conditions))
        let statement = try connection.statement(SQLitePrinter.template(select))
        defer { statement.reset() }
        statement.bind(values)
        guard try statement.step() else { continue }
        let key = statement.int64(0)
        guard let other = try known(key, of: entity), other.replica.row != record.row else { continue }
        if hasToSend(other, any: numbers) { return other }
      }
    }
    return nil
  }

  /// Whether a row has an edit of some fields to send, and stays once what was collected of it is shown.
  ///
  /// One that goes makes room for others' values; what is sent of its edit only tells that it was lost.
  private func hasToSend(_ known: KnownRow, any numbers: Set<Int>) -> Bool {
    var replica = known.replica
    if let entry = inbox.entry(of: replica.row), let rules = contract.byNumber[replica.row.entity]?.rules {
      let received = replica.receive(entry.record, includesSent: includesSent(entry.taken), rules)
      if received?.shown.deletion != nil { return false }
    }
    return replica.hasToSend(any: numbers)
  }

  /// The class of a row, by the name in the type column; nil for one that this program does not have.
  func className(of record: SyncRecord, _ entity: BoundContract.Entity) -> String? {
    guard case .integer(let number)? = record.fields[SyncNumbers.classField]?.value else { return entity.root.name }
    return entity.classes.first { $0.value == number }?.key
  }
}
