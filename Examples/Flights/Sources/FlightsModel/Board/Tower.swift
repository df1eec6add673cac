import Foundation
import SwiftData

/// Delays flights, and cancels some: in the demo from another process than the one that shows them.
@ModelActor
public actor Tower {
  /// Whom history names for what towers change.
  public static let author = "tower"

  enum Order {
    case delay(Int)
    case cancel
  }

  /// What is done, a commit after the other, each order to another flight.
  static let commits: [[Order]] = [
    [.delay(25)], [.delay(40), .delay(55)], [.cancel], [.delay(10), .delay(120)], [.delay(35)],
  ]

  /// Changes flights from all over the day, with a pause after each commit.
  ///
  /// A flight that is cancelled stays so. Where fewer flights leave than there are
  /// orders, the last orders are left out.
  public func run(on day: BoardDay, pause: Duration) async throws {
    modelContext.author = Self.author
    let flights = try modelContext.fetch(day.departures).filter { $0.departureDelay != nil }
    let step = max(1, flights.count / Self.commits.joined().count)
    var next = flights.indices.lazy.filter { $0.isMultiple(of: step) }.map { flights[$0] }.makeIterator()
    for orders in Self.commits {
      for order in orders {
        guard let flight = next.next() else { continue }
        switch order {
        case .delay(let minutes): flight.delay(by: minutes)
        case .cancel: flight.cancel()
        }
      }
      try modelContext.save()
      try await Task.sleep(for: pause)
    }
  }
}
