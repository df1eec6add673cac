import SwiftData

/// An airport of the United States, by the code of its aviation authority.
@Model
public final class Airport {
  @Attribute(.unique) public var code: String
  // A small table: what an index of words costs is not noticed.
  @Attribute(.fullText) public var name: String
  public var latitude: Double
  public var longitude: Double
  /// In feet.
  public var altitude: Int
  /// In hours.
  public var offsetFromUTC: Int
  public var daylightSaving: DaylightSaving
  public var timeZone: String?

  /// An airport that flights leave from cannot be deleted: a flight needs an origin.
  @Relationship(deleteRule: .deny, inverse: \Flight.origin) public var departures: [Flight] = []
  @Relationship(deleteRule: .nullify, inverse: \Flight.destination) public var arrivals: [Flight] = []
  @Relationship(deleteRule: .cascade, inverse: \Weather.airport) public var weather: [Weather] = []

  public enum DaylightSaving: String, CaseIterable, Codable, Sendable {
    case american = "A"
    case never = "N"
    case unknown = "U"
  }

  public init(
    code: String, name: String, latitude: Double, longitude: Double, altitude: Int, offsetFromUTC: Int,
    daylightSaving: DaylightSaving, timeZone: String?
  ) {
    self.code = code
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.offsetFromUTC = offsetFromUTC
    self.daylightSaving = daylightSaving
    self.timeZone = timeZone
  }
}
