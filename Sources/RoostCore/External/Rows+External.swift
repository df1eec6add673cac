import Foundation
import RoostSQL

// The slot where rows are read and written.

extension _RowReader {
  /// Reads no file.
  public mutating func read<Codec>(_ slot: inout _External<Codec>) {
    let column = next()
    if column < 0 { return skip(&slot) }
    guard let stored = value({ $0.sqlValue(column) }) else { return fail() }
    if Codec.mayBeLarge, let name = ExternalReference.name(stored, in: Codec.columnType) {
      // A value that came from that very file, or went there, is still the row's.
      if slot.file != name { slot.unload() }
      slot.file = name
    } else if let value = Codec.decode(stored) {
      slot.attribute.value = .some(value)
      slot.file = nil
    } else {
      fail(because: Codec.refusal(stored))
    }
  }
}

extension _RowWriter {
  public mutating func write<Codec>(_ slot: inout _External<Codec>) {
    guard let parameter = next() else { return }
    do {
      bind(try stored(&slot), at: parameter)
    } catch {
      fail(error)
    }
  }

  /// What the column gets: the value, or the name of the file that it is in from now on.
  private func stored<Codec>(_ slot: inout _External<Codec>) throws -> SQLValue {
    if case .presence = external { return try presence(slot) }
    guard let value = slot.attribute.value else {
      if slot.file != nil { throw UnstorableValue("it was not read from its file before the row was deleted.") }
      return .null
    }
    let encoded = try Codec.encode(value)
    slot.file = nil
    guard Codec.mayBeLarge, case .files(let writes) = external else { return encoded }
    slot.file = try writes._withUnsafeGuaranteedRef { try $0.place(encoded) }
    return slot.file.map { ExternalReference.value($0, in: Codec.columnType) } ?? encoded
  }

  /// Something small that is NULL exactly if the value is nil.
  private func presence<Codec>(_ slot: _External<Codec>) throws -> SQLValue {
    let encoded = try slot.attribute.value.map { try Codec.encode($0) }
    if !Codec.mayBeLarge { return encoded ?? .null }
    if encoded == nil ? slot.file == nil : encoded == .null { return .null }
    return Codec.columnType == .blob ? .blob(Data()) : .text("")
  }
}

extension _SlotEdit {
  public mutating func apply<Codec>(to slot: inout _External<Codec>) {
    switch operation {
    case .unload: slot.unload()
    case .collect: report(slot)
    case .fill(let bytes):
      let stored: SQLValue? =
        Codec.columnType == .blob ? .blob(bytes) : String(validating: bytes, as: UTF8.self).map { .text($0) }
      if let value = stored.flatMap({ Codec.decode($0) }) { slot.attribute.value = value }
      report(slot)
    case .capture: found = .image(.attribute(slot))
    case .restore(.attribute(let former as _External<Codec>)): slot = former
    case .restore(.attribute(let value as _Attribute<Codec>)): (slot.attribute, slot.file) = (value, nil)
    // A file has one value for ever. Reading it would cost what the file is there to save.
    case .digest:
      if let file = slot.file {
        found = .digest(file.hashValue)
      } else if let value = slot.attribute.value {
        found = .digest(Codec.digest(value))
      }
    case .column:
      if let file = slot.file {
        found = .column(ExternalReference.value(file, in: Codec.columnType))
      } else if let value = slot.attribute.value, let stored = try? Codec.encode(value) {
        found = .column(stored)
      }
    case .content:
      if let value = slot.attribute.value {
        if let stored = try? Codec.encode(value) { found = .column(stored) }
      } else if let file = slot.file {
        found = .column(ExternalReference.value(file, in: Codec.columnType))
      }
    default: break
    }
  }

  private mutating func report<Codec>(_ slot: _External<Codec>) {
    wasLoaded = slot.isLoaded
    if !slot.isLoaded, let file = slot.file { found = .file(file) }
  }
}
