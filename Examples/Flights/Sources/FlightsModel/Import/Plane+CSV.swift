extension Plane {
  struct Columns {
    let tailNumber, year, kind, manufacturer, modelName, engines, seats, cruisingSpeed, engine: CSVColumn

    init(_ reader: borrowing CSVReader) throws {
      tailNumber = try reader.column("tailnum")
      year = try reader.column("year")
      kind = try reader.column("type")
      manufacturer = try reader.column("manufacturer")
      modelName = try reader.column("model")
      engines = try reader.column("engines")
      seats = try reader.column("seats")
      cruisingSpeed = try reader.column("speed")
      engine = try reader.column("engine")
    }
  }

  convenience init(_ row: borrowing CSVReader, _ columns: Columns) throws {
    self.init(
      tailNumber: try row.value(columns.tailNumber), year: try row.value(columns.year),
      kind: try row.value(columns.kind), manufacturer: try row.value(columns.manufacturer),
      modelName: try row.value(columns.modelName), engines: try row.value(columns.engines),
      seats: try row.value(columns.seats), cruisingSpeed: try row.value(columns.cruisingSpeed),
      engine: try row.value(columns.engine))
  }
}

extension Plane.Kind: CSVValue {}
extension Plane.Engine: CSVValue {}
