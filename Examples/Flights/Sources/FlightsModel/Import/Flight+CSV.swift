import Foundation

extension Flight {
  struct Columns {
    let number, hour, minute, departureTime, departureDelay, scheduledArrivalTime, arrivalTime: CSVColumn
    let arrivalDelay, airTime, distance, airline, tailNumber, origin, destination: CSVColumn

    init(_ reader: borrowing CSVReader) throws {
      number = try reader.column("flight")
      // The scheduled departure is this hour, in UTC, and that minute. Other columns have it again, in local time.
      hour = try reader.column("time_hour")
      minute = try reader.column("minute")
      departureTime = try reader.column("dep_time")
      departureDelay = try reader.column("dep_delay")
      scheduledArrivalTime = try reader.column("sched_arr_time")
      arrivalTime = try reader.column("arr_time")
      arrivalDelay = try reader.column("arr_delay")
      airTime = try reader.column("air_time")
      distance = try reader.column("distance")
      airline = try reader.column("carrier")
      tailNumber = try reader.column("tailnum")
      origin = try reader.column("origin")
      destination = try reader.column("dest")
    }
  }

  /// Planes and airports that have no row are nil; the tail number and the code remain.
  convenience init(_ row: borrowing CSVReader, _ columns: Columns, _ known: KnownModels) throws {
    let hour = try row.value(columns.hour, as: Date.self)
    let minute = try row.value(columns.minute, as: Int.self)
    let tailNumber = try row.value(columns.tailNumber, as: String?.self)
    let destinationCode = try row.value(columns.destination, as: String.self)
    self.init(
      number: try row.value(columns.number), scheduledDeparture: hour + TimeInterval(60 * minute),
      departureTime: try row.value(columns.departureTime), departureDelay: try row.value(columns.departureDelay),
      scheduledArrivalTime: try row.value(columns.scheduledArrivalTime),
      arrivalTime: try row.value(columns.arrivalTime), arrivalDelay: try row.value(columns.arrivalDelay),
      airTime: try row.value(columns.airTime), distance: try row.value(columns.distance), tailNumber: tailNumber,
      destinationCode: destinationCode, airline: try known.airline(row.value(columns.airline)),
      plane: tailNumber.flatMap { known.plane($0) },
      origin: try known.requiredAirport(row.value(columns.origin)), destination: known.airport(destinationCode))
  }
}
