import Foundation

/// A flight with the names of what it refers to: what a list of flights shows.
struct FlightRow: Equatable {
  var number: Int
  var departure: Date
  var distance: Int
  var delay: Int?
  var airline: String?
  var plane: String?
  var origin: String?
  var destination: String?

  /// What a walk does with each value: the least that makes it be there.
  @inline(__always)
  static func touch(
    number: Int, departure: Date, distance: Int, delay: Int?, airline: String?, plane: String?, origin: String?,
    destination: String?
  ) -> UInt64 {
    var sum = departure.timeIntervalSinceReferenceDate.bitPattern
    sum &+= UInt64(truncatingIfNeeded: number &+ distance &+ (delay ?? 0))
    sum &+= UInt64((airline?.utf8.count ?? 0) &+ (plane?.utf8.count ?? 0))
    return sum &+ UInt64((origin?.utf8.count ?? 0) &+ (destination?.utf8.count ?? 0))
  }

  @inline(__always)
  var touch: UInt64 {
    Self.touch(
      number: number, departure: departure, distance: distance, delay: delay, airline: airline, plane: plane,
      origin: origin, destination: destination)
  }
}

/// The flights, and which of the airlines, planes and airports each refers to.
struct FlightNetwork {
  struct Flight {
    var number: Int
    var departure: Date
    var distance: Int
    var delay: Int?
    var airline: Int
    /// Some fly with a plane that nobody knows, or to an airport that nobody knows.
    var plane: Int?
    var origin: Int
    var destination: Int?
  }

  /// As many as flew from New York City in 2013, or are in the lists that go with it.
  let airlines = (1...16).map { "Air Line Number \($0) Inc." }
  let planes = (1...3_322).map { "\(["737", "A320", "EMB-145"][$0 % 3])-\($0 % 130)" }
  let airports = (1...1_458).map {
    "\(["County Airport", "Municipal", "International Airport"][$0 % 3]) of Place \($0)"
  }
  let flights: [Flight]

  init(count: Int) {
    var random = SplitMix64(seed: 2013)
    let (airlineCount, planeCount, airportCount) = (airlines.count, planes.count, airports.count)
    flights = (0..<count).map { index in
      Flight(
        number: Int.random(in: 1...8_500, using: &random),
        departure: Date(timeIntervalSinceReferenceDate: 378_691_200 + Double(index) * 300),
        distance: Int.random(in: 80...4_983, using: &random),
        delay: random.next() % 40 == 0 ? nil : Int.random(in: -20...120, using: &random),
        airline: Int.random(in: 0..<airlineCount, using: &random),
        plane: random.next() % 7 == 0 ? nil : Int.random(in: 0..<planeCount, using: &random),
        origin: Int.random(in: 0..<airportCount, using: &random),
        destination: random.next() % 45 == 0 ? nil : Int.random(in: 0..<airportCount, using: &random))
    }
  }

  /// What a walk must find.
  var rows: [FlightRow] {
    flights.map { flight in
      FlightRow(
        number: flight.number, departure: flight.departure, distance: flight.distance, delay: flight.delay,
        airline: airlines[flight.airline], plane: flight.plane.map { planes[$0] }, origin: airports[flight.origin],
        destination: flight.destination.map { airports[$0] })
    }
  }
}
