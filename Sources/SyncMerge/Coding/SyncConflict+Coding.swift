extension SyncConflict: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    row.encode(to: &writer)
    writer.write(byte: field == nil ? 0 : 1)
    if let field { writer.write(field) }
    ancestor.encode(to: &writer)
    server.encode(to: &writer)
    client.encode(to: &writer)
    outcome.encode(to: &writer)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(
      row: try SyncRowID(from: &reader), field: try reader.flag() ? try reader.int() : nil,
      ancestor: try SyncValue(from: &reader), server: try SyncStampedValue(from: &reader),
      client: try SyncStampedValue(from: &reader), outcome: try Outcome(from: &reader))
  }
}

extension SyncConflict.Outcome: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    switch self {
    case .server: writer.write(byte: 0)
    case .client: writer.write(byte: 1)
    case .merged: writer.write(byte: 2)
    case .open: writer.write(byte: 3)
    }
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    let tag = try reader.byte()
    switch tag {
    case 0: self = .server
    case 1: self = .client
    case 2: self = .merged
    case 3: self = .open
    default: throw .unknownTag(tag)
    }
  }
}

extension SyncStampedValue: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    value.encode(to: &writer)
    stamp.encode(to: &writer)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(value: try SyncValue(from: &reader), stamp: try SyncStamp(from: &reader))
  }
}
