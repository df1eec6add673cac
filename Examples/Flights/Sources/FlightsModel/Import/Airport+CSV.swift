extension Airport {
  struct Columns {
    let code, name, latitude, longitude, altitude, offsetFromUTC, daylightSaving, timeZone: CSVColumn

    init(_ reader: borrowing CSVReader) throws {
      code = try reader.column("faa")
      name = try reader.column("name")
      latitude = try reader.column("lat")
      longitude = try reader.column("lon")
      altitude = try reader.column("alt")
      offsetFromUTC = try reader.column("tz")
      daylightSaving = try reader.column("dst")
      timeZone = try reader.column("tzone")
    }
  }

  convenience init(_ row: borrowing CSVReader, _ columns: Columns) throws {
    self.init(
      code: try row.value(columns.code), name: try row.value(columns.name),
      latitude: try row.value(columns.latitude), longitude: try row.value(columns.longitude),
      altitude: try row.value(columns.altitude), offsetFromUTC: try row.value(columns.offsetFromUTC),
      daylightSaving: try row.value(columns.daylightSaving), timeZone: try row.value(columns.timeZone))
  }
}

extension Airport.DaylightSaving: CSVValue {}
