/// A value as it is synced: what SQLite keeps, a reference to a row, or a list of these.
package enum SyncValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// The row that a relationship refers to.
  case row(SyncRowID)
  /// The elements of an attribute that is merged element by element.
  case list([SyncValue])
}

extension String {
  fileprivate func hasBytes(of other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        bytes.count == others.count && bytes.indices.allSatisfy { bytes[$0] == others[$0] }
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension SyncValue {
  /// Texts are equal only if their bytes are, as in SQLite: a precomposed é differs from e with a combining accent.
  package static func == (left: SyncValue, right: SyncValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right || left.isNaN && right.isNaN
    case (.text(let left), .text(let right)): left.hasBytes(of: right)
    case (.blob(let left), .blob(let right)): left == right
    case (.row(let left), .row(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// As `==` has it. Of texts that differ by their bytes alone, as those with accents in another order,
  /// there are as many as anybody wants.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.isNaN ? .nan : value)
    case .text(let value):
      var value = value
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let value): hasher.combine(value)
    case .row(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    }
  }

  /// The elements of a list; none for no value. nil for anything else.
  var elements: [SyncValue]? {
    switch self {
    case .list(let elements): elements
    // A list of rows may have been a reference to one.
    case .row: [self]
    case .null: []
    default: nil
    }
  }

  /// Whether a value comes before another: no value, numbers, texts, blobs, rows, lists, as SQLite sorts.
  ///
  /// It is an order of all values, so that whoever compares some finds the same one last.
  package func isBefore(_ other: SyncValue) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)): return left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.blob(let left), .blob(let right)): return left.lexicographicallyPrecedes(right)
    case (.row(let left), .row(let right)): return left < right
    case (.list(let left), .list(let right)): return left.lexicographicallyPrecedes(right) { $0.isBefore($1) }
    default:
      guard let left = number, let right = other.number else { return kind < other.kind }
      // Large integers may round to one real: an integer is before a real, then.
      if left.real != right.real { return left.real < right.real }
      return (left.kind, left.integer) < (right.kind, right.integer)
    }
  }

  private var number: (real: Double, kind: Int, integer: Int64)? {
    switch self {
    case .integer(let value): (Double(value), 0, value)
    case .real(let value): (value.isNaN ? -.infinity : value, 1, 0)
    default: nil
    }
  }

  private var kind: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    case .row: 4
    case .list: 5
    }
  }
}
