import Roost

@Model final class Airport {
  @Attribute(.unique) var code: String
  var name: String
  @Relationship(deleteRule: .deny, inverse: \Flight.origin) var departures: [Flight] = []

  init(code: String, name: String) { (self.code, self.name) = (code, name) }
}

@Model final class Flight {
  var number: String
  var gate: String
  /// In minutes.
  var delay = 0
  @Attribute(.merge(.counter)) var bags = 0
  @Attribute(.merge(.set)) var remarks: [String] = []
  var origin: Airport

  init(_ number: String, gate: String, from origin: Airport) {
    (self.number, self.gate, self.origin) = (number, gate, origin)
  }
}
