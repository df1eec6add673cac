import Foundation
import Roost

struct Spot: Codable, Hashable, Sendable {
  var lat: Double
  var since: Date?
}

struct Dwelling: Codable, Hashable, Sendable {
  var city: String
  var street: String?
  /// Each under the other's name in JSON.
  var code: Int
  var floor: Int
  var serial: UInt64
  var price: Decimal
  var key: UUID
  var isOpen: Bool
  var position: Spot
  var other: Spot?

  var shout: String { city.uppercased() }

  enum CodingKeys: String, CodingKey {
    case city = "the city"
    case street, serial, price, key, isOpen, other
    case code = "floor"
    case floor = "code"
    case position = "p"
  }
}

@Model final class Resident {
  #Index<Resident>(
    [\.address.city], [\.address.position.lat], [\.address.serial], [\.address.price], [\.address.key],
    [\.home?.position.since], [\.home?.street], [\.address.code, \.name])
  #Unique<Resident>([\.address.floor, \.address.isOpen])
  var name: String
  var address: Dwelling
  var home: Dwelling?

  init(name: String, address: Dwelling, home: Dwelling? = nil) {
    (self.name, self.address, self.home) = (name, address, home)
  }
}

extension Dwelling {
  init(city: String = "Oslo", floor: Int = 0) {
    self.init(
      city: city, street: nil, code: 0, floor: floor, serial: 0, price: 0, key: UUID(), isOpen: true,
      position: Spot(lat: 0, since: nil), other: nil)
  }

  init(random: inout SeededRandom, floor: Int) {
    self.init(
      city: .sample(&random), street: .sample(&random), code: random.below(3), floor: floor,
      serial: .sample(&random), price: .sample(&random), key: .sample(&random), isOpen: .sample(&random),
      position: Spot(lat: .sample(&random), since: .sample(&random)), other: nil)
  }
}
