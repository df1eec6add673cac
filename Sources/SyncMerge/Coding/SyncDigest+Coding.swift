extension SyncDigest: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    place.encode(to: &writer)
    writer.write(rows)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(place: try SyncPlace(from: &reader), rows: try reader.fields(ofBytes: 10))
  }
}

extension SyncDigest.Rows: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(count)
    writer.write(fixed: sum)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(count: try reader.signed(), sum: try reader.fixed())
  }
}
