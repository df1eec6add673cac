extension Weather {
  struct Columns {
    let airport, hour, temperature, dewPoint, humidity, windDirection, windSpeed, windGust: CSVColumn
    let precipitation, pressure, visibility: CSVColumn

    init(_ reader: borrowing CSVReader) throws {
      airport = try reader.column("origin")
      // The year, month, day and hour beside it are the same in local time, in which an hour of November comes twice.
      hour = try reader.column("time_hour")
      temperature = try reader.column("temp")
      dewPoint = try reader.column("dewp")
      humidity = try reader.column("humid")
      windDirection = try reader.column("wind_dir")
      windSpeed = try reader.column("wind_speed")
      windGust = try reader.column("wind_gust")
      precipitation = try reader.column("precip")
      pressure = try reader.column("pressure")
      visibility = try reader.column("visib")
    }
  }

  convenience init(_ row: borrowing CSVReader, _ columns: Columns, _ known: KnownModels) throws {
    self.init(
      airport: try known.requiredAirport(row.value(columns.airport)), hour: try row.value(columns.hour),
      temperature: try row.value(columns.temperature), dewPoint: try row.value(columns.dewPoint),
      humidity: try row.value(columns.humidity), windDirection: try row.value(columns.windDirection),
      windSpeed: try row.value(columns.windSpeed), windGust: try row.value(columns.windGust),
      precipitation: try row.value(columns.precipitation), pressure: try row.value(columns.pressure),
      visibility: try row.value(columns.visibility))
  }
}
