public import Foundation
import RoostCore
internal import RoostEngine
internal import RoostSQL
internal import Synchronization

// The parts of the calendar that dates are in, as their beginnings: the titles that sections by dates have.
extension Column where Value == Date {
  /// The beginning of the hour that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func hour(_ keyPath: KeyPath<Model, Date>, in calendar: Calendar? = nil) -> Column {
    part(.hour, keyPath, calendar)
  }

  /// The beginning of the day that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func day(_ keyPath: KeyPath<Model, Date>, in calendar: Calendar? = nil) -> Column {
    part(.day, keyPath, calendar)
  }

  /// The beginning of the week that a date is in, a Monday. The calendar is ISO 8601's in UTC, unless one is given.
  public static func week(_ keyPath: KeyPath<Model, Date>, in calendar: Calendar? = nil) -> Column {
    part(.weekOfYear, keyPath, calendar)
  }

  /// The beginning of the month that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func month(_ keyPath: KeyPath<Model, Date>, in calendar: Calendar? = nil) -> Column {
    part(.month, keyPath, calendar)
  }

  /// The beginning of the year that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func year(_ keyPath: KeyPath<Model, Date>, in calendar: Calendar? = nil) -> Column {
    part(.year, keyPath, calendar)
  }
}

// The same of dates that may be nil, whose parts then are nil.
extension Column where Value == Date? {
  /// The beginning of the hour that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func hour(_ keyPath: KeyPath<Model, Date?>, in calendar: Calendar? = nil) -> Column {
    part(.hour, keyPath, calendar)
  }

  /// The beginning of the day that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func day(_ keyPath: KeyPath<Model, Date?>, in calendar: Calendar? = nil) -> Column {
    part(.day, keyPath, calendar)
  }

  /// The beginning of the week that a date is in, a Monday. The calendar is ISO 8601's in UTC, unless one is given.
  public static func week(_ keyPath: KeyPath<Model, Date?>, in calendar: Calendar? = nil) -> Column {
    part(.weekOfYear, keyPath, calendar)
  }

  /// The beginning of the month that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func month(_ keyPath: KeyPath<Model, Date?>, in calendar: Calendar? = nil) -> Column {
    part(.month, keyPath, calendar)
  }

  /// The beginning of the year that a date is in. The calendar is ISO 8601's in UTC, unless one is given.
  public static func year(_ keyPath: KeyPath<Model, Date?>, in calendar: Calendar? = nil) -> Column {
    part(.year, keyPath, calendar)
  }
}

extension Column {
  fileprivate static func part(
    _ part: Calendar.Component, _ keyPath: PartialKeyPath<Model>, _ calendar: Calendar?
  ) -> Column {
    let key = KeyPathKey(keyPath: keyPath)
    return Column { query in
      var value = try query.value(key.keyPath)
      let number = CalendarPartNumbers.number(of: part, in: calendar)
      value.sql = .function(.calendarPart, [value.sql, .integer(number)])
      return Selected(value, name: "\(part) of \(key.keyPath)", orders: [value.sql])
    }
  }
}

/// Calendars cannot be parameters of SQL, so that each has a number, for as long as the program runs.
private enum CalendarPartNumbers {
  private struct Known: Hashable {
    let part: Calendar.Component
    let calendar: Calendar?
  }

  private struct State {
    var numbers: [Known: Int64] = [:]
    var parts: [CalendarParts] = []
  }

  private static let state = Mutex(State())

  static func number(of part: Calendar.Component, in calendar: Calendar?) -> Int64 {
    state.withLock { state in
      let known = Known(part: part, calendar: calendar)
      if let number = state.numbers[known] {
        // Each query asks anew: a calendar that follows the system's settings may have changed.
        state.parts[Int(number)] = CalendarParts(part, calendar)
        return number
      }
      let number = Int64(state.parts.count)
      state.parts.append(CalendarParts(part, calendar))
      state.numbers[known] = number
      return number
    }
  }

  static func start(of date: Date, _ number: Int64) -> Date? {
    state.withLock { state in
      guard let index = Int(exactly: number), state.parts.indices.contains(index) else { return nil }
      return state.parts[index].start(of: date)
    }
  }
}

/// Adds the function that finds the beginning of a date's month and the like.
func addCalendarFunctions(to connection: Connection) {
  addStrictFunction("roost_calendar_part", arguments: 2, to: connection) { values in
    let date = Date(timeIntervalSinceReferenceDate: values.double(0))
    let start = CalendarPartNumbers.start(of: date, values.int64(1))
    return start.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null
  }
}
