/// A row as the server has it.
package struct SyncRecord: Hashable, Sendable {
  package let row: SyncRowID
  /// The place of the row's last change in the order of its zone.
  package var sequence: Int64
  /// nil while the row is there. The values stay when it is deleted, so that it can be brought back.
  package var deletion: SyncDeletion?
  package var fields: SyncFields<SyncField>
  /// The stamps of deletions that the row outlived, the last few of a site: what went along with it in other pushes is
  /// there again too, and it goes with nothing else that they took. The server alone has them.
  package internal(set) var outlived: [SyncStamp] = []
  /// The fields that referred to the row as it was deleted, and let go of it. They refer to it again if it comes
  /// back. The server alone has them.
  package internal(set) var owners: [SyncOwner] = []

  package init(row: SyncRowID, sequence: Int64, deletion: SyncDeletion? = nil, fields: SyncFields<SyncField> = [:]) {
    self.row = row
    self.sequence = sequence
    self.deletion = deletion
    self.fields = fields
  }
}

package struct SyncDeletion: Hashable, Sendable {
  package var stamp: SyncStamp
  /// Its place in the order of the zone.
  package var sequence: Int64
  /// The row that this one is now, which had its unique values before; nil for a row that is gone.
  package var mergedInto: SyncRowID?
  /// Whether nobody deleted the row: the zone took it along with another one. The server alone knows.
  package internal(set) var isTaken = false
  /// The stamps of other deletions of the row, earlier than ``stamp``, one of a site. The server alone has them.
  package internal(set) var others: [SyncStamp] = []

  package init(stamp: SyncStamp, sequence: Int64, mergedInto: SyncRowID? = nil) {
    (self.stamp, self.sequence, self.mergedInto) = (stamp, sequence, mergedInto)
  }
}

extension SyncDeletion {
  /// The stamps of all deletions of the row.
  var stamps: [SyncStamp] { [stamp] + others }

  /// Adds another deletion of the row, so that it does not matter which came first.
  mutating func add(_ other: SyncStamp) {
    let last = Dictionary((stamps + [other]).map { ($0.site, $0) }, uniquingKeysWith: max)
    stamp = max(stamp, other)
    others = last.values.filter { $0 != stamp }.sorted()
  }
}

/// A field that referred to a row.
package struct SyncOwner: Hashable, Sendable {
  package var row: SyncRowID
  package var field: Int
  /// Whether the field let go of the row in another push than the one that deletes the row. Then it refers to the row
  /// again only if nobody has written the field since.
  package var isLoose = false
}

/// A value as the server has it.
package struct SyncField: Hashable, Sendable {
  package var value: SyncValue
  /// When it was written.
  package var stamp: SyncStamp
  /// The place of the change that wrote it in the order of its zone.
  package var sequence: Int64
  /// For a value with edits of several stores in it, the place of the last one of another
  /// store than the stamp's; else 0.
  package var otherSequence: Int64 = 0
  /// Siblings of the value, of ``SyncMergePolicy/keepBoth``, the latest first. They have none themselves.
  package var others: [SyncField] = []

  package init(value: SyncValue, stamp: SyncStamp, sequence: Int64, others: [SyncField] = []) {
    self.value = value
    self.stamp = stamp
    self.sequence = sequence
    self.others = others
  }

  /// The place of the last change of the value, or of one beside it.
  package var lastSequence: Int64 { others.reduce(sequence) { max($0, $1.sequence) } }
}

extension SyncRecord {
  /// The rows that it refers to.
  package var references: [SyncRowID] { fields.flatMap { $0.value.value.references } }

  /// The rows whose referrers it is listed with: those that it refers to, and its owners.
  package var listedReferences: [SyncRowID] { references + owners.map(\.row) }

  /// What devices are told.
  package var told: SyncRecord {
    if outlived.isEmpty, owners.isEmpty, deletion.map({ !$0.isTaken && $0.others.isEmpty }) ?? true { return self }
    var told = self
    (told.outlived, told.owners) = ([], [])
    told.deletion?.isTaken = false
    told.deletion?.others = []
    return told
  }

  /// How many deletions of a site a row is known to have outlived.
  private static let mostOutlived = 4

  /// Takes note of a deletion that did not come about.
  mutating func outlive(_ deletion: SyncStamp) {
    if outlived.contains(deletion) { return }
    outlived.append(deletion)
    let own = outlived.filter { $0.site == deletion.site }
    if own.count > Self.mostOutlived { outlived.removeAll { $0 == own.min() } }
  }
}

extension SyncRecord {
  /// How large it is, but for a few bytes a value.
  package var approximateBytes: Int { fields.values.reduce(32) { $0 + $1.approximateBytes } }
}

extension SyncRecord {
  // What is kept of many rows at once must not be their files.

  /// The same without values that take more room than a reference does.
  var withoutLargeValues: SyncRecord {
    var record = self
    (record.owners, record.outlived) = ([], [])
    for (number, field) in fields {
      if !field.others.isEmpty { record.fields[number]?.others = [] }
      if field.value.isLarge { record.fields[number]?.value = .null }
    }
    return record
  }

  /// The same with the fields alone that refer to rows, and some others.
  func relating(_ others: Set<Int>) -> SyncRecord {
    var record = self
    (record.owners, record.outlived) = ([], [])
    record.fields = fields.filter { others.contains($0.key) || !$0.value.value.references.isEmpty }
    return record
  }
}

extension SyncConflict {
  /// How large it is, but for a few bytes a value.
  var approximateBytes: Int {
    96 + ancestor.approximateBytes + server.value.approximateBytes + client.value.approximateBytes
  }
}

extension SyncField {
  fileprivate var approximateBytes: Int { others.reduce(24 + value.approximateBytes) { $0 + $1.approximateBytes } }
}

extension SyncValue {
  /// Whether it takes more than some bytes, and refers to nothing.
  var isLarge: Bool {
    if case .list = self { references.isEmpty } else { approximateBytes > 64 }
  }

  fileprivate var approximateBytes: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .list(let elements): elements.reduce(0) { $0 + 8 + $1.approximateBytes }
    case .null, .integer, .real, .row: 8
    }
  }

  /// The rows in it.
  package var references: [SyncRowID] {
    switch self {
    case .row(let row): [row]
    case .list(let elements): elements.compactMap { if case .row(let row) = $0 { row } else { nil } }
    default: []
    }
  }

  /// Whether a row is in it.
  func refers(to row: SyncRowID) -> Bool {
    switch self {
    case .row(row): true
    case .list(let elements): elements.contains(.row(row))
    default: false
    }
  }

  /// The same with others in place of some rows, each row of a list once.
  ///
  /// `other`: what comes in place of one; nil where it stays.
  package func replacing(_ other: (SyncRowID) throws -> SyncValue?) rethrows -> SyncValue {
    switch self {
    case .row(let row): return try other(row) ?? self
    case .list(var elements):
      var (isReplaced, isShortened) = (false, false)
      for place in elements.indices {
        guard case .row(let row) = elements[place], let value = try other(row) else { continue }
        elements[place] = value
        if value == .null { isShortened = true } else { isReplaced = true }
      }
      if isShortened { elements.removeAll { $0 == .null } }
      guard isReplaced else { return isShortened ? .list(elements) : self }
      var known = Set<SyncValue>()
      return .list(elements.filter { known.insert($0).inserted })
    default: return self
    }
  }
}

extension SyncField {
  /// Takes note that nobody wrote it: the last edit is that of the former value, or one before. `site`: of a store
  /// whose own edit is not counted.
  mutating func setLastEdit(of former: SyncField, besides site: UInt64? = nil) {
    let isEdit = former.stamp.time > 0 && former.stamp.site != site
    otherSequence = isEdit ? max(former.lastSequence, former.otherSequence) : former.otherSequence
  }

  /// Whether nobody wrote it, which is no edit: it was nilled out as the row that it referred to is gone, or a program
  /// computed it; and nobody else wrote it behind a place.
  func isNobodys(since base: Int64) -> Bool { stamp.time == 0 && otherSequence <= base }

  /// Whether the device that wrote something at a time knew of all edits in the value, and beside it.
  func isSeen(by stamp: SyncStamp, base: Int64) -> Bool {
    stamp.hasSeen(self.stamp, at: sequence, base: base) && otherSequence <= base
      && others.allSatisfy { $0.isSeen(by: stamp, base: base) }
  }
}
