import Foundation
import Roost

/// Models with every kind of property that a predicate may mention.
enum Routes {
  enum Status: Int, Codable {
    case open, closed, archived
  }

  @Model final class Mayor {
    var name: String
    init(_ name: String) { self.name = name }
  }

  @Model final class City {
    var name: String
    var population: Int
    var mayor: Mayor?

    init(_ name: String, _ population: Int) {
      self.name = name
      self.population = population
    }
  }

  @Model final class Flight {
    var number: String
    var price: Double
    var seats: Int
    var gate: String?
    var city: City?
    var departure = Date(timeIntervalSinceReferenceDate: 100)
    var arrival: Date?
    var isDelayed = false
    var status = Status.open
    var stops: [City] = []
    var scores: [Int] = []
    var code = UUID()

    init(_ number: String, price: Double, seats: Int, gate: String?, city: City?) {
      self.number = number
      self.price = price
      self.seats = seats
      self.gate = gate
      self.city = city
    }
  }
}
