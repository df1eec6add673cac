import Foundation
import Roost
import Testing

@Model private final class Moment {
  var number: Int
  var date: Date
  init(_ number: Int, _ seconds: Double) {
    self.number = number
    date = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

/// Dates beyond what calendars know are neither merged nor lost.
@Suite struct FarDateTests {
  private let context: ModelContext
  private static let day = 86_400.0

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Moment.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  private func insert(_ seconds: [Double]) throws {
    for (number, seconds) in seconds.enumerated() { context.insert(Moment(number, seconds)) }
    try context.save()
  }

  private func sections(_ key: SectionKey<Moment, Date>) throws -> [[Int]] {
    try context.fetch(FetchDescriptor<Moment>(), sectionBy: key).map { $0.map(\.number) }
  }

  /// Two dates of one day, another of the next and one of 400 days later.
  private static func neighbours(of seconds: Double) -> [Double] {
    let start = (seconds / day).rounded(.down) * day
    return [start + 100, start + 200, start + day + 100, start + 400 * day]
  }

  @Test(arguments: [252e9, 1.6e13, 1e14, 1e15, 8e15, -2.2e11, -1e12, -1e14, -8e15])
  func `days and years of dates far away are told apart`(seconds: Double) throws {
    try insert(Self.neighbours(of: seconds))
    #expect(try sections(.day(\.date)) == [[0, 1], [2], [3]])
    #expect(try sections(.hour(\.date)) == [[0, 1], [2], [3]])
    #expect(try sections(.year(\.date)).count == 2 && sections(.year(\.date)).last == [3])
    #expect(try sections(.month(\.date)).last == [3])
    #expect(try sections(.week(\.date)).last == [3])
    for title in try context.fetch(FetchDescriptor<Moment>(), sectionBy: .day(\.date)).sectionTitles {
      #expect(title.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: Self.day) == 0)
    }
  }

  @Test(arguments: [1e16, 1e19, 1e300, .infinity]) func `beyond, each date is by itself`(seconds: Double) throws {
    try insert([seconds, -seconds, seconds.nextDown])
    for key in [SectionKey<Moment, Date>.day(\.date), .week(\.date), .year(\.date)] {
      #expect(try sections(key) == [[1], [2], [0]])
    }
  }

  @Test(arguments: [1.6e13, 1e14, 1e18, -2.2e11, -1e14, -1e18])
  func `a calendar of one's own merges no dates that it does not know`(seconds: Double) throws {
    var berlin = Calendar(identifier: .gregorian)
    berlin.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    try insert([seconds, seconds + 1_000 * Self.day, seconds + 2_000 * Self.day])
    #expect(try sections(.day(\.date, in: berlin)) == [[0], [1], [2]])
    #expect(try sections(.year(\.date, in: berlin)) == [[0], [1], [2]])
  }

  @Test func `a calendar of one's own groups dates that it does not know by themselves, in any order`() throws {
    var berlin = Calendar(identifier: .gregorian)
    berlin.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    try insert([.infinity, 1e18, 0, -.infinity, 1e18, 3_600, .infinity, 86_400, 1])
    let days = try context.aggregate(
      FetchDescriptor<Moment>(), groupBy: .day(\.date, in: berlin), select: .sum(\.number))
    #expect(days.map { $0.0.timeIntervalSinceReferenceDate } == [-.infinity, -3_600, 82_800, 1e18, .infinity])
    #expect(days.map(\.1) == [3, 2 + 5 + 8, 7, 1 + 4, 0 + 6])
  }

  @Test func `arithmetic and the calendar agree where both know`() throws {
    var utc = Calendar(identifier: .iso8601)
    utc.timeZone = .gmt
    var random = SeededRandom(seed: 7)
    let seconds = (0..<300).map { _ in Double(random.below(15_000_000)) * 1e6 + Double(random.below(86_400)) }
    try insert(seconds)
    for (key, part) in [
      (SectionKey<Moment, Date>.day(\.date), Calendar.Component.day), (.week(\.date), .weekOfYear),
      (.month(\.date), .month), (.year(\.date), .year),
    ] {
      for section in try context.fetch(FetchDescriptor<Moment>(), sectionBy: key) {
        for moment in section { #expect(utc.dateInterval(of: part, for: moment.date)?.start == section.title) }
      }
    }
  }

  @Test func `groups of an aggregate are the same`() throws {
    try insert(Self.neighbours(of: 1e15) + Self.neighbours(of: -1e15))
    let groups = try context.aggregate(FetchDescriptor<Moment>(), groupBy: .day(\.date), select: .sum(\.number))
    #expect(Set(groups.map(\.1)) == [0 + 1, 2, 3, 4 + 5, 6, 7])
  }
}
