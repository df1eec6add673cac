import SwiftData

/// An airline, by its two-letter code.
@Model
public final class Airline {
  @Attribute(.unique) public var code: String
  public var name: String

  /// A flight needs an airline, so its flights go with it.
  @Relationship(deleteRule: .cascade, inverse: \Flight.airline) public var flights: [Flight] = []

  public init(code: String, name: String) {
    self.code = code
    self.name = name
  }
}
