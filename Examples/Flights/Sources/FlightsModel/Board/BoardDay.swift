import Foundation
import SwiftData

/// What a board shows: the flights that leave one airport on one day, in New York's time.
public struct BoardDay: Sendable, LosslessStringConvertible {
  /// The airport and the day that the demo's board shows. The data's first flight is one of these.
  public static let demo = BoardDay(airport: "EWR", year: 2013, month: 1, day: 1)

  private let airport: String
  private let date: DateComponents

  public init(airport: String, year: Int, month: Int, day: Int) {
    self.airport = airport
    date = DateComponents(year: year, month: month, day: day)
  }

  /// The airport's code, a slash, and the day: `EWR/2013-01-01`.
  public init?(_ description: String) {
    let parts = description.split(separator: "/")
    guard parts.count == 2 else { return nil }
    let numbers = parts[1].split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    self.init(airport: String(parts[0]), year: numbers[0], month: numbers[1], day: numbers[2])
    guard date.isValidDate(in: .newYork) else { return nil }
  }

  public var description: String {
    let numbers = [(date.year, 4), (date.month, 2), (date.day, 2)].map { number, length in
      (number ?? 0).formatted(
        .number.precision(.integerLength(length...)).grouping(.never).locale(.init(identifier: "en_US")))
    }
    return "\(airport)/\(numbers.joined(separator: "-"))"
  }

  /// The flights, in the order in which they are to leave.
  public var departures: FetchDescriptor<Flight> {
    let airport = airport
    let start = Calendar.newYork.date(from: date) ?? .distantPast
    let end = Calendar.newYork.date(byAdding: .day, value: 1, to: start) ?? .distantPast
    return FetchDescriptor(
      predicate: #Predicate {
        $0.origin.code == airport && $0.scheduledDeparture >= start && $0.scheduledDeparture < end
      }, sortBy: [SortDescriptor(\.scheduledDeparture), SortDescriptor(\.number)])
  }
}
