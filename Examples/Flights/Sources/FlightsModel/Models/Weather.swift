import Foundation
import SwiftData

/// The weather at an airport at the beginning of an hour.
@Model
public final class Weather {
  // An airport has one weather at a time. This also finds the weather of a flight's airport and hour.
  #Unique<Weather>([\.airport, \.hour])

  public var airport: Airport
  public var hour: Date
  /// In degrees Fahrenheit, as the next.
  public var temperature: Double?
  public var dewPoint: Double?
  /// In percent.
  public var humidity: Double?
  /// In degrees.
  public var windDirection: Int?
  /// In miles per hour, as the next.
  public var windSpeed: Double?
  public var windGust: Double?
  /// In inches.
  public var precipitation: Double
  /// In millibars, at sea level.
  public var pressure: Double?
  /// In miles.
  public var visibility: Double

  public init(
    airport: Airport, hour: Date, temperature: Double?, dewPoint: Double?, humidity: Double?, windDirection: Int?,
    windSpeed: Double?, windGust: Double?, precipitation: Double, pressure: Double?, visibility: Double
  ) {
    self.airport = airport
    self.hour = hour
    self.temperature = temperature
    self.dewPoint = dewPoint
    self.humidity = humidity
    self.windDirection = windDirection
    self.windSpeed = windSpeed
    self.windGust = windGust
    self.precipitation = precipitation
    self.pressure = pressure
    self.visibility = visibility
  }
}
