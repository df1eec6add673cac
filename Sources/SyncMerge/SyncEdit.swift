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
  /// Whether something in it stands for a value that no server takes.
  package var hasValueTooLarge: Bool { fields.values.contains { $0.value == .tooLarge || $0.ancestor == .tooLarge } }
}

extension SyncValue {
  /// Stands for a value that is too large for any server, in what waits to be sent: no list has elements of no value.
  package static let tooLarge = SyncValue.list([.null])
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
