extension SyncRecord: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    row.encode(to: &writer)
    writer.write(sequence)
    let (owners, loose) = (owners.filter { !$0.isLoose }, owners.filter(\.isLoose))
    let (isTaken, others) = (deletion?.isTaken ?? false, deletion?.others ?? [])
    writer.write(
      byte: (deletion == nil ? 0 : 1) | (outlived.isEmpty ? 0 : 2) | (owners.isEmpty ? 0 : 4) | (isTaken ? 8 : 0)
        | (others.isEmpty ? 0 : 16) | (loose.isEmpty ? 0 : 32))
    deletion?.encode(to: &writer)
    if !others.isEmpty { writer.write(others) }
    if !outlived.isEmpty { writer.write(outlived) }
    if !owners.isEmpty { writer.write(owners) }
    if !loose.isEmpty { writer.write(loose) }
    writer.write(fields)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    let (row, sequence, parts) = (try SyncRowID(from: &reader), try reader.sequence(), try reader.byte())
    if parts > 63 { throw .unknownTag(parts) }
    var deletion: SyncDeletion? = parts & 1 == 0 ? nil : try SyncDeletion(from: &reader)
    if parts & 8 != 0 {
      guard deletion != nil else { throw .unknownTag(parts) }
      deletion?.isTaken = true
    }
    if parts & 16 != 0 {
      guard deletion != nil else { throw .unknownTag(parts) }
      deletion?.others = try reader.list(ofBytes: 16)
    }
    let outlived: [SyncStamp] = parts & 2 == 0 ? [] : try reader.list(ofBytes: 16)
    var owners: [SyncOwner] = parts & 4 == 0 ? [] : try reader.list(ofBytes: 11)
    if parts & 32 != 0 {
      let loose: [SyncOwner] = try reader.list(ofBytes: 11)
      owners += loose.map { SyncOwner(row: $0.row, field: $0.field, isLoose: true) }
    }
    self.init(row: row, sequence: sequence, deletion: deletion, fields: try reader.fields(ofBytes: 21))
    (self.outlived, self.owners) = (outlived, owners)
  }
}

extension SyncOwner: SyncCodable {
  package func encode(to writer: inout SyncWriter) {
    row.encode(to: &writer)
    writer.write(field)
  }

  package init(from reader: inout SyncReader) throws(SyncCodingError) {
    self.init(row: try SyncRowID(from: &reader), field: try reader.int())
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
      stamp: try SyncStamp(from: &reader), sequence: try reader.sequence(), mergedInto: try reader.optional())
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
      value: try SyncValue(from: &reader), stamp: try SyncStamp(from: &reader), sequence: try reader.sequence())
    otherSequence = try reader.sequence()
    others = try reader.siblings()
  }
}
