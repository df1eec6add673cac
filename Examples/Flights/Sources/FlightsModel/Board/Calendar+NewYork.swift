import Foundation

extension Calendar {
  /// The one that the flights' local times are of.
  static let newYork: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "America/New_York") ?? .gmt
    return calendar
  }()
}
