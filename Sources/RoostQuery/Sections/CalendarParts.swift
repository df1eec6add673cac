internal import Foundation

/// Where parts of a calendar begin. Remembers the last one, as sorted dates mostly are in it too,
/// and others for dates in no order.
struct CalendarParts {
  private let part: Calendar.Component
  /// nil for ISO 8601's in UTC.
  private let calendar: Calendar?
  private var last: DateInterval?
  private var known = KnownIntervals()

  init(_ part: Calendar.Component, _ calendar: Calendar?) {
    self.part = part
    self.calendar = calendar == Self.utc ? nil : calendar
  }

  mutating func start(of date: Date) -> Date {
    if let last, last.start <= date, date < last.end { return last.start }
    if calendar == nil, let start = utcStart(of: date) { return start }
    if let found = known.interval(of: date) {
      last = found
      return found.start
    }
    guard let found = interval(date) else { return date }
    guard isCertain(found, date) else { return found.start }
    last = found
    // An hour is soon computed.
    if found.duration.truncatingRemainder(dividingBy: 86_400) == 0 { known.insert(found) }
    return found.start
  }

  /// Whether the calendar gives this interval, which it gives for a date, for any other date in it, too.
  ///
  /// Where clocks change parts may overlap. For the years before 1583, of two calendars, each date is asked for.
  private func isCertain(_ interval: DateInterval, _ date: Date) -> Bool {
    func offset(_ date: Date) -> Int { calendar?.timeZone.secondsFromGMT(for: date) ?? 0 }
    return interval.start <= date && date < interval.end
      && interval.start.timeIntervalSinceReferenceDate >= Self.julian.upperBound
      && offset(interval.start) == offset(interval.end)
  }

  /// nil for a date so far away that the calendar does not reach it: each such date is a part of its own. Foundation's
  /// calendars then give the first or last part that they know.
  private func interval(_ date: Date) -> DateInterval? {
    guard Self.asked.contains(date.timeIntervalSinceReferenceDate),
      let found = (calendar ?? Self.utc).dateInterval(of: part, for: date),
      abs(found.start.timeIntervalSince(date)) < 500 * 86_400
    else { return nil }
    return found
  }

  /// What Foundation may be asked: it knows some 6,700 years before, and 500,000 after.
  private static let asked = -1e12...1e14
  /// The numbers of seconds that a date has exactly.
  private static let exact = -9_007_199_254_740_992.0...9_007_199_254_740_992
  /// From the beginning of what Foundation knows to the year 1583, the first of the Gregorian calendar alone.
  private static let julian = -211_000_000_000.0..<(-13_190_000_000)

  /// In UTC all days are as long, so that plain arithmetic does. nil outside of the years in which it does.
  private func utcStart(of date: Date) -> Date? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard Self.exact.contains(seconds), !Self.julian.contains(seconds) else { return nil }
    func start(_ length: Double) -> Date {
      Date(timeIntervalSinceReferenceDate: (seconds / length).rounded(.down) * length)
    }
    if part == .hour { return start(3_600) }
    if part == .day { return start(86_400) }
    // 1 January 2001 was a Monday.
    if part == .weekOfYear { return start(7 * 86_400) }
    guard part == .month || part == .year else { return nil }
    let day = CivilDay(Int((seconds / 86_400).rounded(.down)))
    return Date(timeIntervalSinceReferenceDate: Double(part == .month ? day.monthStart : day.yearStart) * 86_400)
  }

  private static let utc: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }()
}

/// A day of the Gregorian calendar, by its number since 1 January 2001.
///
/// Source: Howard Hinnant,
/// [chrono-compatible low-level date algorithms](https://howardhinnant.github.io/date_algorithms.html).
private struct CivilDay {
  /// The first days of its month and of its year.
  let monthStart: Int
  let yearStart: Int

  init(_ day: Int) {
    // Years begin in March here, so that a leap day is a year's last; eras are the 400 years after which all repeats.
    let shifted = day + 730_791
    let era = Int((Double(shifted) / 146_097).rounded(.down))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let yearDay = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * yearDay + 2) / 153
    monthStart = day - (yearDay - (153 * month + 2) / 5)
    // January and February are the end of the year before.
    let isEarly = month >= 10
    let year = yearOfEra + (isEarly ? 1 : 0)
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    yearStart = day - (isEarly ? yearDay - 306 : yearDay + 59 + (isLeap ? 1 : 0))
  }
}
