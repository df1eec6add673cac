/// What an import has read, and what it found missing.
public struct ImportReport: Sendable {
  public var airlines = 0
  public var airports = 0
  public var planes = 0
  public var weather = 0
  public var flights = 0
  /// How many flights name each plane that has no row.
  public var unknownPlanes: [String: Int] = [:]
  /// How many flights name no plane at all.
  public var flightsWithoutTailNumber = 0
  /// How many flights name each destination that has no row.
  public var unknownDestinations: [String: Int] = [:]
  public var duration = Duration.zero

  public var rows: Int { airlines + airports + planes + weather + flights }
}

extension ImportReport: CustomStringConvertible {
  public var description: String {
    let seconds = duration / .seconds(1)
    let planeFlights = unknownPlanes.values.reduce(0, +)
    let destinationFlights = unknownDestinations.values.reduce(0, +)
    let codes = unknownDestinations.isEmpty ? "" : " (\(unknownDestinations.keys.sorted().joined(separator: ", ")))"
    return """
      \(airlines.grouped) airlines, \(airports.grouped) airports, \(planes.grouped) planes, \
      \(weather.grouped) hours of weather and \(flights.grouped) flights
      in \(seconds.text(digits: 2)) s, \(Int(Double(rows) / max(seconds, 0.001)).grouped) rows a second
      \(planeFlights.grouped) flights name one of \(unknownPlanes.count) planes that have no row, \
      \(flightsWithoutTailNumber.grouped) name none: their plane is nil
      \(destinationFlights.grouped) flights go to one of \(unknownDestinations.count) airports that have no row\
      \(codes): their destination is nil
      """
  }
}
