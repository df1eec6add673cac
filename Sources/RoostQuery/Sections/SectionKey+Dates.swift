public import Foundation

// The parts of the calendar that dates are in. Their titles are the parts' beginnings, to
// be formatted as the user likes.
extension SectionKey where Title == Date {
  /// A section for each hour. The calendar is ISO 8601's in UTC, unless one is given.
  public static func hour(_ keyPath: KeyPath<Element, Date>, in calendar: Calendar? = nil) -> SectionKey {
    part(.hour, keyPath, calendar)
  }

  /// A section for each day. The calendar is ISO 8601's in UTC, unless one is given.
  public static func day(_ keyPath: KeyPath<Element, Date>, in calendar: Calendar? = nil) -> SectionKey {
    part(.day, keyPath, calendar)
  }

  /// A section for each week. The calendar is ISO 8601's in UTC, whose weeks begin on Mondays, unless one is given.
  public static func week(_ keyPath: KeyPath<Element, Date>, in calendar: Calendar? = nil) -> SectionKey {
    part(.weekOfYear, keyPath, calendar)
  }

  /// A section for each month. The calendar is ISO 8601's in UTC, unless one is given.
  public static func month(_ keyPath: KeyPath<Element, Date>, in calendar: Calendar? = nil) -> SectionKey {
    part(.month, keyPath, calendar)
  }

  /// A section for each year. The calendar is ISO 8601's in UTC, unless one is given.
  public static func year(_ keyPath: KeyPath<Element, Date>, in calendar: Calendar? = nil) -> SectionKey {
    part(.year, keyPath, calendar)
  }

  private static func part(
    _ part: Calendar.Component, _ keyPath: KeyPath<Element, Date>, _ calendar: Calendar?
  ) -> SectionKey {
    SectionKey(keyPath, order: [SortDescriptor(keyPath.assumedSendable)]) {
      var parts = CalendarParts(part, calendar)
      return { parts.start(of: $0[keyPath: keyPath]) }
    }
  }
}

extension SectionKey where Title == Date? {
  /// A section for each hour, and one for models without a date. The calendar is ISO
  /// 8601's in UTC, unless one is given.
  public static func hour(_ keyPath: KeyPath<Element, Date?>, in calendar: Calendar? = nil) -> SectionKey {
    part(.hour, keyPath, calendar)
  }

  /// A section for each day, and one for models without a date. The calendar is ISO 8601's in UTC, unless one is given.
  public static func day(_ keyPath: KeyPath<Element, Date?>, in calendar: Calendar? = nil) -> SectionKey {
    part(.day, keyPath, calendar)
  }

  /// A section for each week, and one for models without a date.
  ///
  /// The calendar is ISO 8601's in UTC, whose weeks begin on Mondays, unless one is given.
  public static func week(_ keyPath: KeyPath<Element, Date?>, in calendar: Calendar? = nil) -> SectionKey {
    part(.weekOfYear, keyPath, calendar)
  }

  /// A section for each month, and one for models without a date. The calendar is ISO
  /// 8601's in UTC, unless one is given.
  public static func month(_ keyPath: KeyPath<Element, Date?>, in calendar: Calendar? = nil) -> SectionKey {
    part(.month, keyPath, calendar)
  }

  /// A section for each year, and one for models without a date. The calendar is ISO
  /// 8601's in UTC, unless one is given.
  public static func year(_ keyPath: KeyPath<Element, Date?>, in calendar: Calendar? = nil) -> SectionKey {
    part(.year, keyPath, calendar)
  }

  private static func part(
    _ part: Calendar.Component, _ keyPath: KeyPath<Element, Date?>, _ calendar: Calendar?
  ) -> SectionKey {
    SectionKey(keyPath, order: [SortDescriptor(keyPath.assumedSendable)]) {
      var parts = CalendarParts(part, calendar)
      return { $0[keyPath: keyPath].map { parts.start(of: $0) } }
    }
  }
}
