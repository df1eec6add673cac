extension SyncPush: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(fixed: site)
    writer.write(number)
    writer.write(fixed: identity)
    seen.encode(to: &writer)
    writer.write(edits)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    reader.expectPush()
    self.init(
      site: try reader.fixed(), number: try reader.signed(), identity: try reader.fixed(),
      seen: try SyncPlace(from: &reader), edits: try reader.list(ofBytes: 29))
  }
}

extension SyncPushAnswer: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(number)
    writer.write(records)
    writer.write(rest ?? -1)
    writer.write(conflicts)
    place.encode(to: &writer)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    let (number, records): (Int64, [SyncRecord]) = (try reader.signed(), try reader.list(ofBytes: 13))
    let rest = try reader.signed()
    self.init(
      number: number, records: records, rest: rest < 0 ? nil : rest, conflicts: try reader.list(ofBytes: 47),
      place: try SyncPlace(from: &reader))
  }
}

extension SyncTakenPush: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(number)
    writer.write(fixed: identity)
    writer.write(conflicts)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(number: try reader.signed(), identity: try reader.fixed(), conflicts: try reader.list(ofBytes: 47))
  }
}

extension SyncPage: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    writer.write(records)
    writer.write(cursor)
    writer.write(byte: isLast ? 1 : 0)
    writer.write(taken.number)
    writer.write(fixed: taken.identity)
    place.encode(to: &writer)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(
      records: try reader.list(ofBytes: 13), cursor: try reader.sequence(), isLast: try reader.flag(),
      taken: SyncPushID(number: try reader.signed(), identity: try reader.fixed()), place: try SyncPlace(from: &reader))
  }
}
