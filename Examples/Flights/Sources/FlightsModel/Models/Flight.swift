import Foundation
import SwiftData

/// A flight that left, or should have left, one of New York City's airports in 2013.
@Model
public final class Flight {
  public var number: Int
  public var scheduledDeparture: Date
  /// Local time as hours and minutes, 517 for 5:17, or nil when the flight was cancelled.
  public var departureTime: Int?
  /// In minutes, negative when it left early.
  public var departureDelay: Int?
  /// Local time as hours and minutes, as the next.
  public var scheduledArrivalTime: Int
  public var arrivalTime: Int?
  /// In minutes, negative when it arrived early.
  public var arrivalDelay: Int?
  /// In minutes.
  public var airTime: Int?
  /// In miles.
  public var distance: Int
  /// As the airline reported it, so also for a plane that is in no register.
  public var tailNumber: String?
  /// As the airline reported it, so also for an airport that is in no list.
  public var destinationCode: String

  // The other sides of these are in Airline, Plane and Airport, with what happens when one of those is deleted.
  public var airline: Airline
  public var plane: Plane?
  public var origin: Airport
  public var destination: Airport?

  public init(
    number: Int, scheduledDeparture: Date, departureTime: Int?, departureDelay: Int?, scheduledArrivalTime: Int,
    arrivalTime: Int?, arrivalDelay: Int?, airTime: Int?, distance: Int, tailNumber: String?, destinationCode: String,
    airline: Airline, plane: Plane?, origin: Airport, destination: Airport?
  ) {
    self.number = number
    self.scheduledDeparture = scheduledDeparture
    self.departureTime = departureTime
    self.departureDelay = departureDelay
    self.scheduledArrivalTime = scheduledArrivalTime
    self.arrivalTime = arrivalTime
    self.arrivalDelay = arrivalDelay
    self.airTime = airTime
    self.distance = distance
    self.tailNumber = tailNumber
    self.destinationCode = destinationCode
    self.airline = airline
    self.plane = plane
    self.origin = origin
    self.destination = destination
  }
}
