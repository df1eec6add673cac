/// What a connection has done to the rows of some tables, in order.
///
/// SQLite tells of each row before it changes: by a statement, a foreign key, a trigger, or a conflict that removes it.
/// Rows that lie beside each other and change alike are one entry. A statement that fails, and a savepoint that is
/// undone, take back what they did.
/// Source: [SQLite, sqlite3_preupdate_hook](https://www.sqlite.org/c3ref/preupdate_blobwrite.html).
package final class RowChangeLog {
  /// A table, and what is to be known of its rows.
  package struct Table {
    package var name: String
    /// The columns that are looked at when a row is updated, by their positions in the table.
    package var columns: [Column]
    /// Those of `columns` whose values are kept when a row is deleted.
    package var kept: [Int]
    /// What tells of what class a row is; nil for one class.
    package var classes: Classes?
    /// The columns that say where the row is in other rows' lists.
    package var memberships: [Membership] = []
    /// What a row that links two others has in place of a key of its own.
    package var link: Link?

    package init(
      _ name: String, columns: [Column], kept: [Int] = [], classes: Classes? = nil,
      link: Link? = nil
    ) {
      self.name = name
      self.columns = columns
      self.kept = kept
      self.classes = classes
      self.link = link
    }
  }

  /// The classes whose rows are in one table.
  package struct Classes {
    /// The column that has the name of a row's class.
    package var column: Int32
    /// The classes that are logged.
    package var names: [String]
    /// The place of the class whose rows may be older than the column; nil for none.
    package var older: Int32?

    package init(column: Column, names: [String]) {
      (self.column, self.names) = (column.position, names)
      older = names.firstIndex { name in
        var bytes: [UInt8] = []
        RowValues.append(.text(name), to: &bytes)
        return bytes == column.missing
      }.map(Int32.init)
    }
  }

  /// The columns of a row that links two others.
  package struct Link {
    /// Those with the keys of both sides.
    package var keys: (Int32, Int32)
    /// Those with the place of the link in the list of either side.
    package var places: (Int32?, Int32?)

    package init(keys: (Int32, Int32), places: (Int32?, Int32?) = (nil, nil)) {
      self.keys = keys
      self.places = places
    }
  }

  /// The columns of a row that say in whose list it is, and where in that.
  package struct Membership {
    package var owner: Int32
    package var place: Int32

    package init(owner: Int32, place: Int32) { (self.owner, self.place) = (owner, place) }
  }

  /// A column.
  package struct Column {
    package var position: Int32
    /// What the column is in rows that are older than it, where it may not be NULL; as ``RowValues`` has it.
    package var missing: [UInt8]?

    package init(position: Int32, missing: [UInt8]? = nil) {
      self.position = position
      self.missing = missing
    }
  }

  /// What becomes of a row.
  package enum Kind: UInt8 {
    case inserted = 1
    case updated = 2
    case deleted = 3
  }

  /// A change of rows beside each other.
  package struct Entry {
    /// The place of the table in ``tables``, and of the class in its names; 0 for the only
    /// one, -1 for a link, or a list.
    package let table: Int32
    package let rowClass: Int32
    package let kind: Kind
    /// Whether the former values of an update are in ``bytes``.
    package let hasValues: Bool
    /// The first row's key; for a link that of the first side, for a list that of the row whose list it is.
    package let key: Int64
    /// How many rows, with keys that follow each other; for a link 1 if its first side's list
    /// changed, 2 for its second's, or 3.
    package fileprivate(set) var count: Int64
    /// A bit for each of the table's columns that differ. For a link, the key of the second side; for a list, its place
    /// in the table's ``Table/memberships``.
    package let columns: UInt64
    /// Where the values begin.
    package let start: Int

    /// Whether an entry is of the next row, and else the same. Links and lists have no rows that follow each other.
    fileprivate func isFollowed(by next: Entry) -> Bool {
      key &+ count == next.key && isLike(next) && rowClass >= 0 && count < RowChangeLog.largestCount
    }

    /// Whether another entry is the same change of other rows.
    fileprivate func isLike(_ other: Entry) -> Bool {
      kind == other.kind && table == other.table && columns == other.columns && rowClass == other.rowClass
        && hasValues == other.hasValues
    }
  }

  /// A place in a log.
  struct Position {
    var entries = 0
    /// How many rows the last entry has.
    var count: Int64 = 0
    var bytes = 0
  }

  // SAFETY: only the connection's one user, and the hook while that user runs a statement, read or write any of these.

  /// The tables whose rows are logged. Set while nothing is.
  @exclusivity(unchecked) package var tables: [Table] = [] {
    didSet { names = tables.map { $0.name.utf8CString } }
  }
  /// Whether changes are logged now.
  @exclusivity(unchecked) package var isLogging = false
  /// The columns that statements may update, a bit for each of the first 64; all unless somebody knows better.
  @exclusivity(unchecked) package var updated: UInt64 = .max
  /// The table of the rows that ``Connection/updateNote`` tells of.
  @exclusivity(unchecked) package var updatedTable = 0
  /// The changes, and the values that rows had before them: see ``RowValues``.
  @exclusivity(unchecked) package internal(set) var entries: [Entry] = []
  @exclusivity(unchecked) package internal(set) var bytes: [UInt8] = []
  /// The columns that differ, by the entry, of tables with more than 64.
  @exclusivity(unchecked) package internal(set) var wide: [Int: [UInt64]] = [:]
  /// Beyond this many bytes, former values of updated rows are not kept.
  @exclusivity(unchecked) package var largestSize = 32 << 20

  @exclusivity(unchecked) var hasUpdateNote = false
  @exclusivity(unchecked) var names: [ContiguousArray<CChar>] = []
  /// The table of the last change, by the address that SQLite has its name at, and by its place.
  @exclusivity(unchecked) var last: (address: UnsafePointer<CChar>, table: Int)?
  /// Where the log was when the latest statement began, and how many rows the connection had changed.
  @exclusivity(unchecked) var mark = Position()
  @exclusivity(unchecked) var markedChanges: Int64 = 0

  package init() {}

  /// Forgets all.
  package func removeAll() {
    if entries.isEmpty, bytes.isEmpty, last == nil { return }
    entries.removeAll(keepingCapacity: entries.count < 1_024)
    bytes.removeAll(keepingCapacity: bytes.count < 1 << 16)
    if !wide.isEmpty { wide = [:] }
    last = nil
    mark = Position()
  }

  var position: Position { Position(entries: entries.count, count: entries.last?.count ?? 0, bytes: bytes.count) }

  /// Forgets what came after a place.
  func remove(after position: Position) {
    guard position.entries <= entries.count, position.bytes <= bytes.count else { return }
    entries.removeLast(entries.count - position.entries)
    bytes.removeLast(bytes.count - position.bytes)
    if !entries.isEmpty { entries[entries.count - 1].count = position.count }
    if !wide.isEmpty { wide = wide.filter { $0.key < position.entries } }
  }

  func append(_ entry: Entry) {
    let end = entries.count - 1
    // The next row of the same: only its values are to be added, which are behind those of the one before.
    if end >= 0, entries[end].isFollowed(by: entry), wide.isEmpty {
      entries[end].count += 1
    } else {
      entries.append(entry)
    }
  }

  /// Calls `body` with the places of entries behind each other that are the same change of different rows.
  package func forEachRun(_ body: (Range<Int>) -> Void) {
    var start = 0
    while start < entries.count {
      var end = start + 1
      if wide.isEmpty {
        while end < entries.count, entries[end].isLike(entries[start]) { end += 1 }
      }
      body(start..<end)
      start = end
    }
  }

  /// The most rows of one entry.
  package static let largestCount: Int64 = 1 << 20
}
