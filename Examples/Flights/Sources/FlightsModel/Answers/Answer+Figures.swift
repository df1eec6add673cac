import Foundation
import Roost

// What SwiftData has not: figures that the database makes, full-text search, and plans that say how rows are found.
extension Answer {
  /// What the demo has the database work out; nothing is changed.
  public static let figures = [dashboard, delaysByMonth, sharedPlanes, airportsByWords]

  static let dashboard = Answer("What was the year, in seven numbers?") { context in
    let all = FetchDescriptor<Flight>()
    let (flights, planes, places, miles, delay) = try context.aggregate(
      all, .count, .countDistinct(\.plane), .countDistinct(\.destinationCode), .sum(\.distance),
      .average(\.arrivalDelay))
    let cancelled = FetchDescriptor<Flight>(predicate: #Predicate { $0.departureTime == nil })
    let late = FetchDescriptor<Flight>(predicate: #Predicate { ($0.arrivalDelay ?? 0) > 60 })
    return ResultTable(
      "What", "Number",
      rows: [
        ["flights", flights], ["cancelled", try context.fetchCount(cancelled)],
        ["over an hour late", try context.fetchCount(late)], ["minutes late on average", delay?.text(digits: 1)],
        ["known planes", planes], ["destinations", places], ["miles", miles],
      ], plans: [try context.explain(all, .countDistinct(\.plane)), try context.explain(late, .count)])
  }

  static let delaysByMonth = Answer("Which airlines were latest, and in which months?") { context in
    let flights = FetchDescriptor<Flight>()
    let month = Column<Flight, Date>.month(\.scheduledDeparture, in: .newYork)
    let airline = Column.value(\Flight.airline.name)
    let latest = [GroupOrder<Flight>.descending(.average(\.arrivalDelay))]
    let groups = try context.aggregate(
      flights, groupBy: month, airline, select: .count, .average(\.arrivalDelay), having: .count > 3, orderBy: latest,
      limit: 10)
    return ResultTable(
      "Month", "Airline", "Flights", "Minutes late",
      rows: groups.map { [Calendar.newYork.component(.month, from: $0), $1, $2, $3?.text(digits: 1)] },
      plans: [try context.explain(flights, groupBy: month, airline, select: .count, orderBy: latest, limit: 10)])
  }

  static let sharedPlanes = Answer("Who flies Kennedy to Atlanta with planes that also leave elsewhere?") { context in
    let flights = FetchDescriptor<Flight>(
      predicate: #Predicate {
        $0.origin.code == "JFK" && $0.destination?.code == "ATL"
          && ($0.plane?.flights.contains { $0.origin.code != "JFK" } ?? false)
      })
    let airline = Column.value(\Flight.airline.name)
    let groups = try context.aggregate(flights, groupBy: airline, select: .count, .countDistinct(\.plane))
    return ResultTable(
      "Airline", "Flights", "Planes", rows: groups.map { [$0, $1, $2] },
      plans: [try context.explain(flights, groupBy: airline, select: .count, .countDistinct(\.plane))])
  }

  static let airportsByWords = Answer("Which airports does a traveller find who has typed \"intl h\" so far?") {
    context in
    let text = FullTextQuery.prefix("intl h")
    let hits = try context.search(Airport.self, for: text, limit: 10)
    let matching = FetchDescriptor<Airport>(predicate: #Predicate { $0.name.matches(text) })
    return ResultTable(
      "Code", "Airport",
      rows: try hits.map { [$0.model.code, try $0.highlight(of: \.name, marks: ("[", "]"))] },
      plans: [try context.explain(matching)])
  }
}
