public import Foundation
import RoostEngine
import RoostSQL

/// A relationship that is not optional and refers to no model.
struct RequiredRelationshipIsNil: Error {}

/// Binds a model's slots to the parameters of an `INSERT` or `UPDATE`, in the order of the macro's indexes.
///
/// The slots are passed `inout` and stay as they are: passed by value, each would be copied out of the model, and its
/// references counted.
@_documentation(visibility: private)
public struct _RowWriter {
  // SAFETY: whoever makes a writer holds the statement that it binds to and the keys, and no writer outlives the
  // binding of one row. Unmanaged because a retain for each value costs as much as binding it.
  private let statement: Unmanaged<Statement>
  private let firstParameter: Int32
  private var parameter: Int32
  /// The properties the statement has parameters for; nil for all.
  private let properties: PropertySet?
  private var index = 0
  private let keys: Unmanaged<PermanentKeys>
  /// Where values go that may be in files.
  let external: ExternalValues
  /// The first value that cannot be kept, and why.
  private(set) var failure: (index: Int, error: any Error)?
  /// Whether a relationship refers to a model that has no row yet.
  private(set) var hasTemporaryKeys = false

  init(
    _ statement: Statement, _ entity: EntityInfo, firstParameter: Int32, properties: PropertySet?, keys: PermanentKeys,
    external: ExternalValues
  ) {
    self.statement = .passUnretained(statement)
    self.firstParameter = firstParameter
    parameter = firstParameter
    if let properties, let stored = entity.storedProperties {
      self.properties = properties.intersection(stored)
    } else {
      self.properties = properties ?? entity.storedProperties
    }
    self.keys = .passUnretained(keys)
    self.external = external
  }

  /// Starts again, for the row of another model.
  mutating func rewind() {
    parameter = firstParameter
    index = 0
    if failure != nil { failure = nil }
    hasTemporaryKeys = false
  }

  /// The parameter after the last one bound.
  var nextParameter: Int32 { parameter }

  private var writesNext: Bool { properties?.contains(index) ?? true }

  /// The next property's parameter, or nil when the statement does not write it.
  @inline(__always)
  mutating func next() -> Int32? {
    defer { index += 1 }
    guard writesNext else { return nil }
    defer { parameter += 1 }
    return parameter
  }

  public mutating func write(_ slot: inout _Attribute<_Native<String>>) {
    guard let parameter = next() else { return }
    // The model holds it, and stays as it is until the row is written.
    if let value = slot.value {
      statement._withUnsafeGuaranteedRef { $0.bind(held: value, at: parameter) }
    } else {
      bindNull(at: parameter)
    }
  }

  public mutating func write(_ slot: inout _Attribute<_OptionalCodec<_Native<String>>>) {
    guard let parameter = next() else { return }
    if let value = slot.value ?? nil {
      statement._withUnsafeGuaranteedRef { $0.bind(held: value, at: parameter) }
    } else {
      bindNull(at: parameter)
    }
  }

  public mutating func write(_ slot: inout _Attribute<_Native<Int>>) {
    guard let parameter = next() else { return }
    if let value = slot.value {
      statement._withUnsafeGuaranteedRef { $0.bind(Int64(value), at: parameter) }
    } else {
      bindNull(at: parameter)
    }
  }

  public mutating func write(_ slot: inout _Attribute<_OptionalCodec<_Native<Int>>>) {
    guard let parameter = next() else { return }
    if let value = slot.value ?? nil {
      statement._withUnsafeGuaranteedRef { $0.bind(Int64(value), at: parameter) }
    } else {
      bindNull(at: parameter)
    }
  }

  public mutating func write(_ slot: inout _Attribute<_Native<Bool>>) {
    guard let parameter = next() else { return }
    if let value = slot.value {
      statement._withUnsafeGuaranteedRef { $0.bind(Int64(value ? 1 : 0), at: parameter) }
    } else {
      bindNull(at: parameter)
    }
  }

  public mutating func write(_ slot: inout _Attribute<_OptionalCodec<_Native<Bool>>>) {
    guard let parameter = next() else { return }
    if let value = slot.value ?? nil {
      statement._withUnsafeGuaranteedRef { $0.bind(Int64(value ? 1 : 0), at: parameter) }
    } else {
      bindNull(at: parameter)
    }
  }

  public mutating func write(_ slot: inout _Attribute<_Native<Double>>) {
    guard let parameter = next() else { return }
    bind(slot.value, at: parameter)
  }

  public mutating func write(_ slot: inout _Attribute<_OptionalCodec<_Native<Double>>>) {
    guard let parameter = next() else { return }
    bind((slot.value ?? nil), at: parameter)
  }

  public mutating func write(_ slot: inout _Attribute<_Native<Date>>) {
    guard let parameter = next() else { return }
    bind(slot.value?.timeIntervalSinceReferenceDate, at: parameter)
  }

  public mutating func write(_ slot: inout _Attribute<_OptionalCodec<_Native<Date>>>) {
    guard let parameter = next() else { return }
    bind((slot.value ?? nil)?.timeIntervalSinceReferenceDate, at: parameter)
  }

  @inline(__always)
  private func bindNull(at parameter: Int32) {
    statement._withUnsafeGuaranteedRef { $0.bindNull(at: parameter) }
  }

  func bind(_ value: SQLValue, at parameter: Int32) {
    statement._withUnsafeGuaranteedRef { $0.bind(value, at: parameter) }
  }

  /// Notes why the property cannot be written.
  mutating func fail(_ error: any Error) {
    if failure == nil { failure = (index - 1, error) }
  }

  private mutating func bind(_ value: Double?, at parameter: Int32) {
    guard let value else { return bindNull(at: parameter) }
    do {
      let bound = try refusingNaN(value)
      statement._withUnsafeGuaranteedRef { $0.bind(bound, at: parameter) }
    } catch {
      fail(error)
    }
  }

  public mutating func write<Codec>(_ slot: inout _Attribute<Codec>) {
    guard let parameter = next() else { return }
    guard let value = slot.value else { return bindNull(at: parameter) }
    do {
      bind(try Codec.encode(value), at: parameter)
    } catch {
      fail(error)
    }
  }

  public mutating func write<Target>(_ slot: inout _ToOne<Target>) { write(slot.reference) }

  public mutating func write<Target>(_ slot: inout _RequiredToOne<Target>) {
    if slot.reference.key == 0, slot.reference.object == nil, writesNext, failure == nil {
      failure = (index, RequiredRelationshipIsNil())
    }
    write(slot.reference)
  }

  private mutating func write(_ reference: ToOneReference) {
    guard let parameter = next() else { return }
    guard reference.isLoaded, reference.key != 0 else { return bindNull(at: parameter) }
    if reference.key < 0 { hasTemporaryKeys = true }
    let key = keys._withUnsafeGuaranteedRef { $0[reference.key] }
    statement._withUnsafeGuaranteedRef { $0.bind(key, at: parameter) }
  }

  /// A to-many relationship has no column.
  public mutating func write<Models>(_ slot: inout _ToMany<Models>) {
    index += 1
    if slot.members.hasTemporaryKeys { hasTemporaryKeys = true }
  }
}
