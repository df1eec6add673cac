extension SyncRecord: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    row.encode(to: &writer)
    writer.write(sequence)
    writer.write(deletion)
    writer.write(fields)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(
      row: try SyncRowID(from: &reader), sequence: try reader.signed(), deletion: try reader.optional(),
      fields: try reader.fields(ofBytes: 21))
  }
}

extension SyncDeletion: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    stamp.encode(to: &writer)
    writer.write(sequence)
    writer.write(mergedInto)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(
      stamp: try SyncStamp(from: &reader), sequence: try reader.signed(), mergedInto: try reader.optional())
  }
}

extension SyncField: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    value.encode(to: &writer)
    stamp.encode(to: &writer)
    writer.write(sequence)
    writer.write(otherSequence)
    writer.write(others)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(
      value: try SyncValue(from: &reader), stamp: try SyncStamp(from: &reader), sequence: try reader.signed())
    otherSequence = try reader.signed()
    others = try reader.siblings()
  }
}
