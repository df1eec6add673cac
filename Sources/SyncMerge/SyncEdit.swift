/// What a device did to a row since it last agreed with the server.
package struct SyncEdit: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case insert, update, delete
  }

  package let row: SyncRowID
  package var kind: Kind
  /// The last change of the row that the device had seen, in the order of its zone; 0 for none.
  package var base: Int64
  package var stamp: SyncStamp
  package var fields: SyncFields<SyncFieldEdit>

  package init(
    row: SyncRowID, kind: Kind, base: Int64 = 0, stamp: SyncStamp, fields: SyncFields<SyncFieldEdit> = [:]
  ) {
    self.row = row
    self.kind = kind
    self.base = base
    self.stamp = stamp
    self.fields = fields
  }
}

extension SyncEdit {
  /// Whether no list has more elements than a server takes.
  package var hasSmallLists: Bool { fields.values.allSatisfy { $0.value.isSmall && $0.ancestor.isSmall } }
}

extension SyncValue {
  fileprivate var isSmall: Bool {
    guard case .list(let elements) = self else { return true }
    return elements.count <= SyncWire.mostElements
  }
}

/// A value that a device wrote.
package struct SyncFieldEdit: Hashable, Sendable {
  package var value: SyncValue
  /// What the device saw when it wrote.
  package var ancestor: SyncValue
  /// The last change of the row that the device had seen then, in the order of its zone; 0 for none.
  package var base: Int64
  package var stamp: SyncStamp

  package init(value: SyncValue, ancestor: SyncValue = .null, base: Int64 = 0, stamp: SyncStamp) {
    self.value = value
    self.ancestor = ancestor
    self.base = base
    self.stamp = stamp
  }
}

extension SyncFieldEdit {
  /// The same with the rows that some are by now. `other`: which one a row is; nil for one that is itself.
  func redirected(_ other: (SyncRowID) throws -> SyncRowID?) rethrows -> SyncFieldEdit {
    var edit = self
    edit.value = try value.replacing { row in try other(row).map { .row($0) } }
    edit.ancestor = try ancestor.replacing { row in try other(row).map { .row($0) } }
    return edit
  }
}
