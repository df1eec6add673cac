import Foundation

/// A line of a board: a flight, and whether it leaves, and how late.
public struct Departure: Equatable, Sendable {
  /// The airline's code and the flight's number.
  public let flight: String
  public let destination: String
  public let scheduled: Date
  /// In minutes, negative when it leaves early; nil when the flight is cancelled.
  public let delay: Int?

  init(_ flight: Flight) {
    self.flight = "\(flight.airline.code) \(flight.number)"
    destination = flight.destinationCode
    scheduled = flight.scheduledDeparture
    delay = flight.departureDelay
  }

  /// Whether the flight leaves, and how late.
  public var state: String {
    switch delay {
    case nil: "cancelled"
    case 0?: "on time"
    case let delay? where delay < 0: "\(-delay) min early"
    case let delay?: "\(delay) min late"
    }
  }
}
