import Foundation
import Roost
import Testing

/// Groups by parts of a calendar, of rows that are not in the order of their dates.
@Suite struct CalendarGroupTests {
  private let context: ModelContext

  init() throws { context = try makeSales() }

  /// Compares groups with what the calendar says of each date by itself.
  private func expectAgreement(
    about dates: [Date], in zone: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    for date in dates { context.insert(Sale("a", date: date)) }
    try context.save()
    let columns: [(Calendar.Component, Column<Sale, Date>)] = [
      (.day, .day(\.date, in: calendar)), (.weekOfYear, .week(\.date, in: calendar)),
      (.month, .month(\.date, in: calendar)), (.year, .year(\.date, in: calendar)),
    ]
    for (component, column) in columns {
      let groups = try context.aggregate(FetchDescriptor<Sale>(), groupBy: column, select: .count)
      let expected = dates.reduce(into: [Date: Int]()) { counts, date in
        counts[calendar.dateInterval(of: component, for: date)?.start ?? date, default: 0] += 1
      }
      #expect(groups.map(\.0) == expected.keys.sorted(), "\(component)", sourceLocation: location)
      #expect(
        groups.map(\.1) == expected.sorted { $0.key < $1.key }.map(\.value), "\(component)", sourceLocation: location)
    }
  }

  @Test func `more days than are remembered are each that of the calendar`() throws {
    var random = SeededRandom(seed: 7)
    let days = (0..<4_200).shuffled(using: &random) + (0..<4_200).shuffled(using: &random)
    let dates = days.map { day in
      Date(timeIntervalSinceReferenceDate: 6e8 + Double(day) * 86_400 + Double(random.below(86_400)))
    }
    try expectAgreement(about: dates, in: "Europe/Oslo")
  }

  @Test(arguments: [
    ("Europe/Oslo", "2009-10-25T01:00:00Z"), ("America/St_Johns", "2009-11-01T02:31:00Z"),
    ("America/Havana", "2009-10-25T05:00:00Z"), ("Asia/Beirut", "2009-10-24T21:00:00Z"),
    ("America/Asuncion", "2009-10-18T04:00:00Z"), ("Pacific/Apia", "2011-12-30T10:00:00Z"),
  ]) func `days on which clocks change are those of the calendar`(zone: String, time: String) throws {
    let change = try Date(time, strategy: .iso8601)
    var random = SeededRandom(seed: 7)
    let near = (-96..<96).shuffled(using: &random).map { change + Double($0) * 31 * 60 }
    // Another date between any two, so that none is taken for one of the part before.
    let other = try Date("1990-06-15T12:00:00Z", strategy: .iso8601)
    try expectAgreement(about: near.flatMap { [$0, other] }, in: zone)
  }
}
