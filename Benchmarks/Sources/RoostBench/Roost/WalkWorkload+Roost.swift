import Foundation
import Roost

extension WalkWorkload {
  /// All flights in a new context, and then what each refers to, which the context loads as it is asked for.
  static func roost(in folder: URL) throws -> Round {
    let container = try filledContainer(in: folder)
    return {
      try timed {
        let context = ModelContext(container)
        let found = try context.fetch(FetchDescriptor<Flight>())
        var touch: UInt64 = 0
        for flight in found {
          touch &+= FlightRow.touch(
            number: flight.number, departure: flight.departure, distance: flight.distance, delay: flight.delay,
            airline: flight.airline?.name, plane: flight.plane?.model, origin: flight.origin?.name,
            destination: flight.destination?.name)
        }
        return (context, found, touch)
      } check: { _, found, touched in
        let rows = found.map { flight in
          FlightRow(
            number: flight.number, departure: flight.departure, distance: flight.distance, delay: flight.delay,
            airline: flight.airline?.name, plane: flight.plane?.model, origin: flight.origin?.name,
            destination: flight.destination?.name)
        }
        try check(rows, touched, "roost")
      }
    }
  }

  private static func filledContainer(in folder: URL) throws -> ModelContainer {
    let store = ModelConfiguration(measured: folder.appending(path: "flights.store"))
    let container = try ModelContainer(for: Flight.self, configurations: store)
    let context = ModelContext(container)
    let airlines = network.airlines.map(Airline.init)
    let planes = network.planes.map(Plane.init)
    let airports = network.airports.map(Airport.init)
    for row in network.flights {
      let flight = Flight(number: row.number, departure: row.departure, distance: row.distance, delay: row.delay)
      context.insert(flight)
      flight.airline = airlines[row.airline]
      flight.plane = row.plane.map { planes[$0] }
      flight.origin = airports[row.origin]
      flight.destination = row.destination.map { airports[$0] }
    }
    try context.save()
    return container
  }
}
