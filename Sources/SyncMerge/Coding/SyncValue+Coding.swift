extension SyncValue: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    switch self {
    case .null: writer.write(byte: 0)
    case .integer(let value):
      writer.write(byte: 1)
      writer.write(value)
    case .real(let value):
      writer.write(byte: 2)
      writer.write(fixed: value.bitPattern)
    case .text(let value):
      writer.write(byte: 3)
      writer.write(value)
    case .blob(let value):
      writer.write(byte: 4)
      writer.write(value)
    case .row(let value):
      writer.write(byte: 5)
      value.encode(to: &writer)
    case .list(let elements):
      writer.write(byte: 6)
      writer.write(elements)
    }
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    let tag = try reader.byte()
    switch tag {
    case 0: self = .null
    case 1: self = .integer(try reader.signed())
    case 2: self = .real(Double(bitPattern: try reader.fixed()))
    case 3: self = .text(try reader.text())
    case 4: self = .blob(try reader.blob())
    case 5: self = .row(try SyncRowID(from: &reader))
    case 6: self = .list(try reader.innerList())
    default: throw .unknownTag(tag)
    }
  }
}

extension SyncRowID: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(entity)
    writer.write(fixed: site)
    writer.write(key)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(entity: try reader.int(), site: try reader.fixed(), key: try reader.signed())
  }
}

extension SyncStamp: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(fixed: time)
    writer.write(fixed: site)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(time: try reader.fixed(), site: try reader.fixed())
  }
}

extension SyncPlace: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(sequence)
    writer.write(fixed: mark)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(sequence: try reader.sequence(), mark: try reader.fixed())
  }
}

/// Values by the numbers of their fields.
extension SyncFields<SyncValue>: SyncCodable {
  package func encode(to writer: inout SyncWriter) { writer.write(self) }

  package init(from reader: inout SyncReader) throws(SyncCodingError) { self = try reader.fields(ofBytes: 2) }
}
