extension Airline {
  struct Columns {
    let code, name: CSVColumn

    init(_ reader: borrowing CSVReader) throws {
      code = try reader.column("carrier")
      name = try reader.column("name")
    }
  }

  convenience init(_ row: borrowing CSVReader, _ columns: Columns) throws {
    self.init(code: try row.value(columns.code), name: try row.value(columns.name))
  }
}
