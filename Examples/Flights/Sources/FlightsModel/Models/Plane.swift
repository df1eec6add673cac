import SwiftData

/// A plane in the register of the United States.
@Model
public final class Plane {
  // The flights by planes of one manufacturer are found from these planes, without looking at the others.
  #Index<Plane>([\.manufacturer])

  @Attribute(.unique) public var tailNumber: String
  /// The year it was made in.
  public var year: Int?
  public var kind: Kind
  public var manufacturer: String
  public var modelName: String
  public var engines: Int
  public var seats: Int
  /// In miles per hour.
  public var cruisingSpeed: Int?
  public var engine: Engine

  /// A flight remains when the register forgets its plane.
  @Relationship(deleteRule: .nullify, inverse: \Flight.plane) public var flights: [Flight] = []

  public enum Kind: String, CaseIterable, Codable, Sendable {
    case singleEngine = "Fixed wing single engine"
    case multiEngine = "Fixed wing multi engine"
    case rotorcraft = "Rotorcraft"
  }

  public enum Engine: String, CaseIterable, Codable, Sendable {
    case fourCycle = "4 Cycle"
    case reciprocating = "Reciprocating"
    case turboFan = "Turbo-fan"
    case turboJet = "Turbo-jet"
    case turboProp = "Turbo-prop"
    case turboShaft = "Turbo-shaft"
  }

  public init(
    tailNumber: String, year: Int?, kind: Kind, manufacturer: String, modelName: String, engines: Int, seats: Int,
    cruisingSpeed: Int?, engine: Engine
  ) {
    self.tailNumber = tailNumber
    self.year = year
    self.kind = kind
    self.manufacturer = manufacturer
    self.modelName = modelName
    self.engines = engines
    self.seats = seats
    self.cruisingSpeed = cruisingSpeed
    self.engine = engine
  }
}
