extension SyncEdit: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    row.encode(to: &writer)
    kind.encode(to: &writer)
    writer.write(base)
    stamp.encode(to: &writer)
    writer.write(fields)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(
      row: try SyncRowID(from: &reader), kind: try Kind(from: &reader), base: try reader.signed(),
      stamp: try SyncStamp(from: &reader), fields: try reader.fields(ofBytes: 20))
  }
}

extension SyncEdit.Kind: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    switch self {
    case .insert: writer.write(byte: 0)
    case .update: writer.write(byte: 1)
    case .delete: writer.write(byte: 2)
    }
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    let tag = try reader.byte()
    switch tag {
    case 0: self = .insert
    case 1: self = .update
    case 2: self = .delete
    default: throw .unknownTag(tag)
    }
  }
}

extension SyncFieldEdit: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    value.encode(to: &writer)
    // A value that is sent anew is its own ancestor, and may be a file: once is enough.
    let isSame = ancestor == value
    writer.write(byte: isSame ? 1 : 0)
    if !isSame { ancestor.encode(to: &writer) }
    writer.write(base)
    stamp.encode(to: &writer)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    let value = try SyncValue(from: &reader)
    let ancestor = try reader.flag() ? value : SyncValue(from: &reader)
    self.init(value: value, ancestor: ancestor, base: try reader.signed(), stamp: try SyncStamp(from: &reader))
  }
}
