import Foundation
import SwiftData

extension Answer {
  /// What the demo asks; nothing is changed.
  public static let questions = [flightsByOrigin, latestFlights, flightsWithoutPlane, airportsNamedLuis, lateInJune]

  static let flightsByOrigin = Answer("How many flights by planes of Embraer left from each airport?") { context in
    let origins = FetchDescriptor<Airport>(
      predicate: #Predicate { !$0.departures.isEmpty }, sortBy: [SortDescriptor(\.name)])
    let rows = try context.fetch(origins).map { airport -> [Any?] in
      let name = airport.name
      let flights = FetchDescriptor<Flight>(
        predicate: #Predicate { $0.plane?.manufacturer == "EMBRAER" && $0.origin.name == name })
      return [name, try context.fetchCount(flights)]
    }
    return ResultTable("Airport", "Flights", rows: rows)
  }

  static let latestFlights = Answer("Which ten flights arrived with the longest delays?") { context in
    var latest = FetchDescriptor<Flight>(
      sortBy: [SortDescriptor(\.arrivalDelay, order: .reverse), SortDescriptor(\.scheduledDeparture)])
    latest.fetchLimit = 10
    let rows = try context.fetch(latest).map { flight -> [Any?] in
      [flight.arrivalDelay, flight.scheduledDeparture, flight.airline.name, flight.number, flight.destination?.name]
    }
    return ResultTable("Minutes", "Departure (UTC)", "Airline", "Flight", "Destination", rows: rows)
  }

  static let flightsWithoutPlane = Answer("How many flights have no plane?") { context in
    let unknown = FetchDescriptor<Flight>(predicate: #Predicate { $0.plane == nil && $0.tailNumber != nil })
    let unnamed = FetchDescriptor<Flight>(predicate: #Predicate { $0.plane == nil && $0.tailNumber == nil })
    return ResultTable(
      "Tail number", "Flights",
      rows: [
        ["of no known plane", try context.fetchCount(unknown)],
        ["none", try context.fetchCount(unnamed)],
      ])
  }

  static let airportsNamedLuis = Answer("Which airports' names have \"LUÍS\", in any case and accent?") { context in
    let named = FetchDescriptor<Airport>(
      predicate: #Predicate { $0.name.localizedStandardContains("LUÍS") }, sortBy: [SortDescriptor(\.code)])
    return ResultTable("Code", "Airport", rows: try context.fetch(named).map { [$0.code, $0.name] })
  }

  static let lateInJune = Answer("How many of Delta's long flights in June arrived over an hour late?") { context in
    let june = try Date("2013-06-01T00:00:00Z", strategy: .iso8601)
    let july = try Date("2013-07-01T00:00:00Z", strategy: .iso8601)
    let late = FetchDescriptor<Flight>(
      predicate: #Predicate {
        $0.airline.code == "DL" && $0.distance > 1_000 && ($0.arrivalDelay ?? 0) > 60
          && $0.scheduledDeparture >= june && $0.scheduledDeparture < july
      })
    return ResultTable("Flights", rows: [[try context.fetchCount(late)]])
  }
}
