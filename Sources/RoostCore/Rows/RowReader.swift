public import Foundation
import RoostEngine
import RoostSQL

/// Hands the columns of one row to a model's slots, in the order of the macro's indexes.
///
/// The scalars have overloads of their own, so that expanded code reads a `String` by a direct call.
@_documentation(visibility: private)
public struct _RowReader {
  /// nil: no row at all; every slot stays unread. Serves for models whose row is read later.
  // SAFETY: whoever makes a reader holds the statement for as long as it steps through its rows, and no reader
  // outlives that. Unmanaged because a retain for each value costs as much as some values.
  private let statement: Unmanaged<Statement>?
  private var column: Int32
  /// The column of each property, or one of the two below; nil when all are there in order.
  private let columns: [Int32]?
  /// In place of a column: the store has it, this row does not.
  static let notRead: Int32 = -1
  /// In place of a column: the store has no such thing, so that the model keeps what it has.
  static let notStored: Int32 = -2
  /// Whether the columns are those of the properties, one after the other, and all are to be read: nearly always so.
  private var isDirect: Bool
  /// Whether the row has every property that is stored.
  let isWhole: Bool
  /// Whether the model is being made. Its declared defaults are in its slots then, and must not pass for values read.
  var isNew: Bool
  /// Properties with pending changes, which the row must not replace.
  var kept: PropertySet? {
    didSet { isDirect = statement != nil && columns == nil && kept == nil }
  }
  private var index = 0
  /// The first property whose column held no such value.
  private(set) var failure: Int?
  /// What the property's type says of it, if that says anything.
  private(set) var refusal: (any Error)?

  package init() {
    statement = nil
    column = 0
    columns = nil
    isDirect = false
    isWhole = true
    isNew = true
  }

  /// Reads the columns behind the primary key: all of the entity's, or those that have a place in `columns`.
  init(
    _ statement: Statement, _ entity: EntityInfo, columns: [Int32]? = nil, isWhole: Bool? = nil, isNew: Bool = true
  ) {
    self.statement = .passUnretained(statement)
    column = 1
    self.columns = columns ?? entity.columnPositions
    isDirect = self.columns == nil
    self.isWhole = isWhole ?? (columns == nil)
    self.isNew = isNew
  }

  /// Starts again, with the statement's next row.
  mutating func rewind() {
    column = 1
    index = 0
    isNew = true
    failure = nil
  }

  /// The next property's column, or -1 when it is not in this row.
  @inline(__always)
  mutating func next() -> Int32 {
    defer { index += 1 }
    if !isDirect { return columnOfNext() }
    defer { column += 1 }
    return column
  }

  @inline(never)
  private mutating func columnOfNext() -> Int32 {
    if let columns { return isKept ? -1 : columns[index] }
    if statement == nil { return -1 }
    defer { column += 1 }
    return isKept ? -1 : column
  }

  @inline(__always)
  private var isKept: Bool { kept?.contains(index) ?? false }

  /// Asks the statement for a value; nil when it holds none of the kind, and without a statement.
  @inline(__always)
  func value<Value>(_ read: (Statement) -> Value?) -> Value? {
    guard let statement else { return nil }
    return statement._withUnsafeGuaranteedRef(read)
  }

  @inline(__always)
  private func isNull(_ column: Int32) -> Bool { value { $0.isNull(column) } ?? true }

  func skip<Slot: _PropertySlot>(_ slot: inout Slot) {
    if isNew, columns?[index - 1] != Self.notStored { slot.unload() }
  }

  mutating func fail() { fail(because: nil) }

  /// `refusal`: asked for the first failure alone.
  mutating func fail(because refusal: @autoclosure () -> (any Error)?) {
    if failure != nil { return }
    failure = index - 1
    self.refusal = refusal()
  }

  // MARK: - Scalars

  public mutating func read(_ slot: inout _Attribute<_Native<String>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    // Mostly what the model has already, when it is read again.
    if !isNew, let known = slot.value, value({ $0.holds(known, column) }) ?? false { return }
    guard let value = value({ $0.storedString(column) }) else { return fail() }
    slot.value = value
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<String>>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    if !isNew, let known = slot.value ?? nil, value({ $0.holds(known, column) }) ?? false { return }
    if let value = value({ $0.storedString(column) }) {
      slot.value = .some(value)
    } else if isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Int>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    guard let value = value({ $0.storedInteger(column) }) else { return fail() }
    slot.value = Int(truncatingIfNeeded: value)
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<Int>>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    if let value = value({ $0.storedInteger(column) }) {
      slot.value = .some(Int(truncatingIfNeeded: value))
    } else if isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Bool>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    guard let value = value({ $0.storedInteger(column) }) else { return fail() }
    // A condition in SQL takes 1 for true and nothing else.
    guard value == 0 || value == 1 else { return fail() }
    slot.value = value == 1
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Double>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    guard let value = value({ $0.storedNumber(column) }) else { return fail() }
    slot.value = value
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<Double>>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    if let value = value({ $0.storedNumber(column) }) {
      slot.value = .some(value)
    } else if isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Date>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    guard let value = value({ $0.storedNumber(column) }) else { return fail() }
    slot.value = Date(timeIntervalSinceReferenceDate: value)
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<Date>>>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    if let value = value({ $0.storedNumber(column) }) {
      slot.value = .some(Date(timeIntervalSinceReferenceDate: value))
    } else if isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  // MARK: - All other attributes

  public mutating func read<Codec>(_ slot: inout _Attribute<Codec>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    guard let value = value({ Codec.decode($0.sqlValue(column)) }) else {
      let refusal = self.value { Codec.refusal($0.sqlValue(column)) }
      return fail(because: refusal)
    }
    slot.value = .some(value)
  }

  // MARK: - Relationships

  public mutating func read<Target>(_ slot: inout _ToOne<Target>) {
    read(&slot.reference, least: 1)
  }

  public mutating func read<Target>(_ slot: inout _RequiredToOne<Target>) {
    // In a migration, what code is still to set is 0.
    read(&slot.reference, least: 0)
  }

  private mutating func read(_ reference: inout ToOneReference, least: Int64) {
    let column = next()
    if column < 0 {
      if isNew { reference = ToOneReference() }
      return
    }
    if let key = value({ $0.storedInteger(column) }) {
      // No row has such a key, but a model that has none yet may.
      if key < least { return fail() }
      reference = ToOneReference(key: key)
    } else if isNull(column) {
      reference = ToOneReference(key: 0)
    } else {
      fail()
    }
  }

  /// A to-many relationship has no column; it is read when asked for.
  public mutating func read<Models>(_ slot: inout _ToMany<Models>) {
    index += 1
    skip(&slot)
  }
}
