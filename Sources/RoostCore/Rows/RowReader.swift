public import Foundation
import RoostEngine
import RoostSQL

/// Hands the columns of one row to a model's slots, in the order of the macro's indexes.
///
/// The scalars have overloads of their own, so that expanded code reads a `String` by a direct call.
@_documentation(visibility: private)
public struct _RowReader {
  /// nil: no row at all; every slot stays unread. Serves for models whose row is read later.
  // SAFETY: whoever makes a reader holds the statement for as long as it steps through its rows, and no reader outlives that.
  private unowned(unsafe) let statement: Statement?
  private var column: Int32
  /// The column of each property, or -1; nil when all are there in order.
  private let columns: [Int32]?
  /// Whether the model is being made. Its declared defaults are in its slots then, and must not pass for values read.
  var isNew: Bool
  private var index = 0
  /// The first property whose column held no such value.
  private(set) var failure: Int?

  init() {
    statement = nil
    column = 0
    columns = nil
    isNew = true
  }

  /// Reads the columns behind the primary key.
  init(_ statement: Statement, columns: [Int32]? = nil, isNew: Bool = true) {
    self.statement = statement
    column = 1
    self.columns = columns
    self.isNew = isNew
  }

  /// Starts again, with the statement's next row.
  mutating func rewind() {
    column = 1
    index = 0
    isNew = true
    failure = nil
  }

  /// Whether every property has a column here.
  var hasAllColumns: Bool { columns == nil }

  /// The next property's column, or nil when it is not in this row.
  @inline(__always)
  private mutating func next() -> (Statement, Int32)? {
    guard let statement else { return nil }
    defer { index += 1 }
    if let columns {
      let column = columns[index]
      return column < 0 ? nil : (statement, column)
    }
    defer { column += 1 }
    return (statement, column)
  }

  private func skip<Slot: _PropertySlot>(_ slot: inout Slot) {
    if isNew { slot.unload() }
  }

  private mutating func fail() {
    if failure == nil { failure = index - 1 }
  }

  // MARK: - Scalars

  public mutating func read(_ slot: inout _Attribute<_Native<String>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    guard let value = statement.storedString(column) else { return fail() }
    slot.value = value
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<String>>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    if let value = statement.storedString(column) {
      slot.value = .some(value)
    } else if statement.isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Int>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    guard let value = statement.storedInteger(column) else { return fail() }
    slot.value = Int(truncatingIfNeeded: value)
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<Int>>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    if let value = statement.storedInteger(column) {
      slot.value = .some(Int(truncatingIfNeeded: value))
    } else if statement.isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Bool>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    guard let value = statement.storedInteger(column) else { return fail() }
    slot.value = value != 0
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Double>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    guard let value = statement.storedNumber(column) else { return fail() }
    slot.value = value
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<Double>>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    if let value = statement.storedNumber(column) {
      slot.value = .some(value)
    } else if statement.isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  public mutating func read(_ slot: inout _Attribute<_Native<Date>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    guard let value = statement.storedNumber(column) else { return fail() }
    slot.value = Date(timeIntervalSinceReferenceDate: value)
  }

  public mutating func read(_ slot: inout _Attribute<_OptionalCodec<_Native<Date>>>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    if let value = statement.storedNumber(column) {
      slot.value = .some(Date(timeIntervalSinceReferenceDate: value))
    } else if statement.isNull(column) {
      slot.value = .some(nil)
    } else {
      fail()
    }
  }

  // MARK: - All other attributes

  public mutating func read<Codec>(_ slot: inout _Attribute<Codec>) {
    guard let (statement, column) = next() else { return skip(&slot) }
    guard let value = Codec.decode(statement.sqlValue(column)) else { return fail() }
    slot.value = .some(value)
  }

  // MARK: - Relationships

  public mutating func read<Target>(_ slot: inout _ToOne<Target>) {
    read(&slot.reference)
  }

  public mutating func read<Target>(_ slot: inout _RequiredToOne<Target>) {
    read(&slot.reference)
  }

  private mutating func read(_ reference: inout ToOneReference) {
    guard let (statement, column) = next() else {
      if isNew { reference = ToOneReference() }
      return
    }
    if let key = statement.storedInteger(column) {
      reference = ToOneReference(key: key)
    } else if statement.isNull(column) {
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
