import Roost

// Parcels and where they go, one relationship behind the other.

@Model
final class Parcel {
  var weight: Int
  var van: Van?

  init(weight: Int, van: Van) {
    self.weight = weight
    self.van = van
  }
}

@Model
final class Van {
  var depot: Depot?

  init(depot: Depot) { self.depot = depot }
}

@Model
final class Depot {
  var city: City?

  init(city: City) { self.city = city }
}

@Model
final class City {
  var region: Region?

  init(region: Region) { self.region = region }
}

@Model
final class Region {
  var country: Country?

  init(country: Country) { self.country = country }
}

@Model
final class Country {
  @Attribute(.unique) var name: String

  init(name: String) { self.name = name }
}
