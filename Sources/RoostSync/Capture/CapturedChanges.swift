import Foundation
import RoostCore
import RoostQuery
import RoostSQL

/// What became of a row in the transactions that are noted together.
struct CapturedChange {
  /// Whether the row that had the key before is gone, and another one has it.
  var isAnother = false
  /// Whether the first that was heard of it is that it was made. If another row had the key, that went with a
  /// migration, or SQL put this one in its place without a word.
  var isNew = false
  /// Whether the last that was heard of it is that it is gone.
  var isGone = false
  /// Whether it is not there, though the last that was heard of it is another thing so far.
  var isMissing = false
  /// What fields were before, by their indexes; the earliest.
  var fields: [Int: Former] = [:]
  /// The lists whose members moved, by their indexes.
  var lists: Set<Int> = []
  /// The first transaction that has something of it.
  var transaction: Int64
  /// The last one.
  var last: Int64
  /// When that was, in milliseconds since 1970.
  var time: UInt64
  /// The transaction that removed the row which had the key before, or replaced it without a word,
  /// and when that was; nil for none.
  var removal: (transaction: Int64, time: UInt64)?

  /// What a field was.
  enum Former {
    case value(SQLValue)
    /// History has no values of lists, and where there are too many none of others.
    case unknown
  }
}

/// The changes of several transactions, by row.
struct CapturedChanges {
  struct Place: Hashable, Comparable {
    let ordinal: Int
    let key: Int64

    static func < (left: Place, right: Place) -> Bool { (left.ordinal, left.key) < (right.ordinal, right.key) }
  }

  private let reader: HistoryReader
  /// The indexes of fields by what their properties share in a hierarchy.
  private let indexes: [Int: [ObjectIdentifier: Int]]
  private let rootOrdinals: [Int: Int]
  private var changes: [Place: CapturedChange] = [:]
  /// In the order in which they were first heard of.
  private var order: [Place] = []
  /// Those of before that are gone, and were not taken.
  private var gone: [Place] = []

  init(_ contract: BoundContract, _ reader: HistoryReader) {
    self.reader = reader
    var (indexes, roots): ([Int: [ObjectIdentifier: Int]], [Int: Int]) = ([:], [:])
    for (ordinal, entity) in contract.byOrdinal {
      var own: [ObjectIdentifier: Int] = [:]
      for (index, field) in entity.fields.enumerated() where !field.isPosition {
        own[ObjectIdentifier(field.property.details)] = index
      }
      indexes[ordinal] = own
      for each in entity.synced.classes { roots[each.ordinal] = ordinal }
    }
    (self.indexes, rootOrdinals) = (indexes, roots)
  }

  /// Whether a migration is among the transactions.
  var isMigrated = false

  /// How many came since some were taken.
  var count: Int { order.count }

  mutating func add(_ record: RecordedChange, _ row: HistoryRow) {
    guard let ordinal = reader.ordinal(of: record), let root = rootOrdinals[ordinal] else { return }
    let place = Place(ordinal: root, key: record.key)
    // A clock, or another program, may have written any time.
    let time = UInt64(min(max(0, (row.time + Date.timeIntervalBetween1970AndReferenceDate) * 1_000), 0x1p52))
    var change = changes[place] ?? CapturedChange(transaction: row.number, last: row.number, time: time)
    if changes[place] == nil { order.append(place) }
    (change.last, change.time) = (row.number, time)
    if record.kind != .updated, change.removal == nil { change.removal = (row.number, time) }
    switch record.kind {
    case .inserted:
      if change.isGone {
        if !change.isNew { change.isAnother = true }
      } else if !change.isAnother {
        change.isNew = true
      }
      change.isGone = false
    case .deleted: change.isGone = true
    case .updated:
      for (index, property) in reader.properties(of: record).enumerated() {
        guard let property else { continue }
        if let field = indexes[root]?[ObjectIdentifier(property.details)] {
          if change.fields[field] == nil { change.fields[field] = record.values.map { .value($0[index]) } ?? .unknown }
        } else if property.isList {
          change.lists.insert(property.index)
        }
      }
    }
    changes[place] = change
  }

  /// What became of rows that are there, those first that have another's key, which others refer to by it; and at
  /// the end of those that are gone.
  ///
  /// These come last: what let go of them says which rows they were.
  ///
  /// - Parameters:
  ///   - isLast: whether there are no more changes.
  ///   - isThere: whether a row is there now. Where there are more changes, they end with its deletion if it is not.
  /// - Returns: the changes, with where the rows are.
  /// - Throws: what `isThere` does.
  mutating func take(isLast: Bool, _ isThere: (Place) throws -> Bool) rethrows -> [(Place, CapturedChange)] {
    var there: [Place] = []
    let all = gone + order
    (order, gone) = ([], [])
    for place in all {
      guard let change = changes[place] else { continue }
      if try change.isGone || change.isMissing || !isLast && !isThere(place) {
        changes[place]?.isMissing = !change.isGone
        gone.append(place)
      } else {
        there.append(place)
      }
    }
    let present = there.filter { changes[$0]?.isAnother ?? false } + there.filter { !(changes[$0]?.isAnother ?? false) }
    let taken = isLast ? present + gone : present
    defer { for place in taken { changes[place] = nil } }
    return taken.compactMap { place in changes[place].map { (place, $0) } }
  }
}
