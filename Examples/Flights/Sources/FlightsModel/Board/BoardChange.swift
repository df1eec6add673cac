import Foundation

/// What has become of a departure since the board showed it last.
public struct BoardChange: Sendable {
  public let before: Departure
  public let after: Departure
  /// From its commit until the board knew of it, in milliseconds; nil when somebody else than a tower changed it.
  public let delayOfNews: Double?

  /// The change as a line to print.
  public var line: String {
    let time = after.scheduled.formatted(
      Date.VerbatimFormatStyle(
        format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        timeZone: Calendar.newYork.timeZone, calendar: .newYork))
    let news = delayOfNews.map { ", known after \($0.text(digits: 0)) ms" } ?? ""
    return "\(time) \(after.flight) to \(after.destination): \(before.state) → \(after.state)\(news)"
  }
}
