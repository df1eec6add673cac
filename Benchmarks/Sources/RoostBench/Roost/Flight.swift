import Foundation
import Roost

// Flights and what they refer to.

@Model
final class Flight {
  var number: Int
  var departure: Date
  var distance: Int
  var delay: Int?
  var airline: Airline?
  var plane: Plane?
  var origin: Airport?
  var destination: Airport?

  init(number: Int, departure: Date, distance: Int, delay: Int?) {
    self.number = number
    self.departure = departure
    self.distance = distance
    self.delay = delay
  }
}

@Model
final class Airline {
  var name: String

  init(name: String) { self.name = name }
}

@Model
final class Plane {
  var model: String

  init(model: String) { self.model = model }
}

@Model
final class Airport {
  var name: String

  init(name: String) { self.name = name }
}
