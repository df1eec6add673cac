/// What a row refers to that is gone, by field, and who deleted the last of it.
struct DanglingReferences {
  private(set) var fields: [Int: (rows: Set<SyncRowID>, site: UInt64)] = [:]

  mutating func add(_ row: SyncRowID, of numbers: [Int], by site: UInt64) {
    for number in numbers {
      fields[number, default: ([], site)].rows.insert(row)
      fields[number]?.site = site
    }
  }

  mutating func removeAll(where isMeant: (SyncRowID) throws -> Bool) rethrows {
    fields = try fields.mapValues { field in
      (try field.rows.filter { try !isMeant($0) }, field.site)
    }
  }
}
