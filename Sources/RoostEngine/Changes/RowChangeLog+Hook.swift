internal import SQLiteLibrary

// What SQLite tells.
extension Connection {
  /// Has what changes on this connection told to a log, while that is logging.
  ///
  /// - Returns: false where SQLite was built without it.
  package func log(_ changes: RowChangeLog) throws(DatabaseError) -> Bool {
    guard listen(try state.open(), to: changes) else { return false }
    state.changeLog = changes
    return true
  }

  /// Has SQLite tell a log; false where it cannot.
  @discardableResult
  func listen(_ database: OpaquePointer, to changes: RowChangeLog) -> Bool {
    // SAFETY: the connection's state keeps the log, and SQLite calls the hook for statements of the connection alone.
    let user = Unmanaged.passUnretained(changes).toOpaque()
    return roost_sqlite3_preupdate_hook(
      database,
      { user, database, operation, base, table, key, newKey in
        guard let user, let database, let base, let table else { return }
        // SAFETY: it is the log of above, which lives as long as the connection that calls.
        let log = Unmanaged<RowChangeLog>.fromOpaque(user).takeUnretainedValue()
        // Not of a temporary table.
        guard log.isLogging, base[0] == CChar(bitPattern: UInt8(ascii: "m")) else { return }
        log.rowWillChange(database, operation, table, key, newKey)
      }, user) != 0
  }

  /// Whether triggers run, those of temporary tables apart. Where that changes, all statements are prepared anew.
  package var runsTriggers: Bool {
    get { state.runsTriggers }
    set {
      guard newValue != state.runsTriggers, let database = state.database else { return }
      state.runsTriggers = newValue
      roost_sqlite3_enable_triggers(database, newValue ? 1 : 0)
    }
  }
}

extension RowChangeLog {
  /// Whether the SQLite of this program tells of rows before they change, as far as a connection can be made.
  package static let isSupported: Bool = {
    let connection = try? Connection(ConnectionOptions(location: .memory(name: "roost-row-change-log")))
    return (try? connection?.log(RowChangeLog())) ?? false
  }()
}

// What a statement that fails takes back.
extension RowChangeLog {
  func markStatement(_ database: OpaquePointer) {
    mark = position
    markedChanges = sqlite3_total_changes64(database)
  }

  fileprivate func takeBackStatement(_ database: OpaquePointer) {
    if sqlite3_total_changes64(database) == markedChanges { remove(after: mark) }
  }
}

extension ConnectionState {
  /// Has the log forget what a statement did that failed, unless it kept that all the same (`OR FAIL`).
  func takeBack(_ statement: OpaquePointer?) {
    guard let database, let changeLog, changeLog.isLogging, sqlite3_stmt_readonly(statement) == 0 else { return }
    changeLog.takeBackStatement(database)
  }
}

extension RowChangeLog {
  fileprivate func rowWillChange(
    _ database: OpaquePointer, _ operation: Int32, _ name: UnsafePointer<CChar>, _ key: Int64, _ newKey: Int64
  ) {
    guard let place = place(of: name) else { return }
    let row = ChangingRow(database: database)
    if let link = tables[place].link { return linked(place, link, row, operation) }
    switch operation {
    case SQLITE_INSERT: inserted(place, newKey, row)
    case SQLITE_DELETE: deleted(place, key, row)
    default:
      if key == newKey { return updated(place, key, row) }
      deleted(place, key, row)
      inserted(place, newKey, row)
    }
  }

  private func place(of name: UnsafePointer<CChar>) -> Int? {
    // The address is that of the table in SQLite's schema. Another table may have it after that was read again.
    if let last, last.address == name, strcmp(name, pointer(last.table)) == 0 { return last.table }
    for place in names.indices where strcmp(name, pointer(place)) == 0 {
      last = (name, place)
      return place
    }
    return nil
  }

  private func pointer(_ place: Int) -> UnsafePointer<CChar> {
    // SAFETY: the array keeps its elements where they are as long as it is not changed, which it is not meanwhile.
    names[place].withUnsafeBufferPointer { $0.baseAddress.unsafelyUnwrapped }
  }

  /// The class of a row; nil if its rows are not logged.
  private func rowClass(_ place: Int, _ value: (Int32) -> OpaquePointer?) -> Int32? {
    guard let classes = tables[place].classes else { return 0 }
    let value = value(classes.column)
    // A row that is older than the column has its default, which SQLite does not tell.
    if RowValues.isNull(value) { return classes.older }
    guard let text = sqlite3_value_text(value) else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
    return classes.names.firstIndex { bytes.elementsEqual($0.utf8) }.map(Int32.init)
  }

  private func inserted(_ place: Int, _ key: Int64, _ row: ChangingRow) {
    guard let rowClass = rowClass(place, row.new) else { return }
    append(
      Entry(
        table: Int32(place), rowClass: rowClass, kind: .inserted, hasValues: false, key: key, count: 1, columns: 0,
        start: bytes.count))
  }

  private func deleted(_ place: Int, _ key: Int64, _ row: ChangingRow) {
    guard let rowClass = rowClass(place, row.old) else { return }
    let start = bytes.count
    var differing = DifferingColumns()
    for column in tables[place].kept {
      differing.insert(column)
      RowValues.append(row.old(tables[place].columns[column].position), to: &bytes)
    }
    append(place, rowClass, .deleted, key, differing, start, hasValues: !tables[place].kept.isEmpty)
  }

  private func updated(_ place: Int, _ key: Int64, _ row: ChangingRow) {
    // A statement that sets properties alone leaves all rows where they are in others' lists.
    if updated == .max, !tables[place].memberships.isEmpty { moved(place, row) }
    let start = bytes.count
    let differing = keepDiffering(place) {
      row.old(tables[place].columns[$0].position)
    } new: {
      row.new(tables[place].columns[$0].position)
    }
    if differing.isEmpty { return }
    guard let rowClass = rowClass(place, row.new) else { return bytes.removeLast(bytes.count - start) }
    append(place, rowClass, .updated, key, differing, start, hasValues: start < largestSize)
  }

  /// A row that stays in a list may get another place there.
  private func moved(_ place: Int, _ row: ChangingRow) {
    for (list, columns) in tables[place].memberships.enumerated() {
      if row.isSame(columns.place) || !row.isSame(columns.owner) || row.isNull(row.new(columns.owner)) {
        continue
      }
      entries.append(
        Entry(
          table: Int32(place), rowClass: -1, kind: .updated, hasValues: false,
          key: row.new(columns.owner).map(sqlite3_value_int64) ?? 0, count: 1, columns: UInt64(list), start: bytes.count
        ))
    }
  }

  /// A row that links two others comes, goes, or gets another place in a list.
  private func linked(_ place: Int, _ link: Link, _ row: ChangingRow, _ operation: Int32) {
    func append(_ kind: Kind, _ sides: Int64, _ value: (Int32) -> OpaquePointer?) {
      let keys = (value(link.keys.0).map(sqlite3_value_int64) ?? 0, value(link.keys.1).map(sqlite3_value_int64) ?? 0)
      entries.append(
        Entry(
          table: Int32(place), rowClass: -1, kind: kind, hasValues: false, key: keys.0, count: sides,
          columns: UInt64(bitPattern: keys.1), start: bytes.count))
    }
    func isSame(_ column: Int32?) -> Bool { column.map { row.isSame($0) } ?? true }
    switch operation {
    case SQLITE_INSERT: append(.inserted, 3, row.new)
    case SQLITE_DELETE: append(.deleted, 3, row.old)
    default:
      guard isSame(link.keys.0), isSame(link.keys.1) else {
        append(.deleted, 3, row.old)
        append(.inserted, 3, row.new)
        return
      }
      let sides: Int64 = (isSame(link.places.0) ? 0 : 1) + (isSame(link.places.1) ? 0 : 2)
      if sides != 0 { append(.updated, sides, row.new) }
    }
  }
}

/// The row that the hook tells of.
private struct ChangingRow {
  let database: OpaquePointer

  func old(_ column: Int32) -> OpaquePointer? { roost_sqlite3_old_value(database, column) }
  func new(_ column: Int32) -> OpaquePointer? { roost_sqlite3_new_value(database, column) }

  /// Whether a column stays as it is.
  func isSame(_ column: Int32) -> Bool { roost_sqlite3_is_same(old(column), new(column)) != 0 }
  func isNull(_ value: OpaquePointer?) -> Bool { RowValues.isNull(value) }
}
