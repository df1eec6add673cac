import Foundation
import SwiftData

extension Answer {
  /// How changes are made, in the order in which the demo makes them.
  public static let changes = [renameAirline, deleteAirline, rollBack]

  static let renameAirline = Answer("An edit: Southwest takes over the name of AirTran.") { context in
    let code = FetchDescriptor<Airline>(predicate: #Predicate { $0.code == "FL" })
    let airline = try context.fetch(code).first
    let before = airline?.name
    airline?.name = "Southwest Airlines (AirTran)"
    try context.save()

    let elsewhere = ModelContext(context.container)  // Shares nothing with this one but the store.
    let after = try elsewhere.fetch(code).first?.name
    return ResultTable("", "Name of FL", rows: [["before", before], ["after", after]])
  }

  static let deleteAirline = Answer("A deletion: Hawaiian Airlines leaves, and its flights with it.") { context in
    let code = FetchDescriptor<Airline>(predicate: #Predicate { $0.code == "HA" })
    let flights = FetchDescriptor<Flight>(predicate: #Predicate { $0.airline.code == "HA" })
    let before = [try context.fetchCount(code), try context.fetchCount(flights)]
    for airline in try context.fetch(code) { context.delete(airline) }
    try context.save()
    let after = [try context.fetchCount(code), try context.fetchCount(flights)]
    return ResultTable("", "Airlines HA", "Flights of HA", rows: [["before"] + before, ["after"] + after])
  }

  static let rollBack = Answer("A change of mind: all planes of Cessna go, and come back.") { context in
    let cessna = FetchDescriptor<Plane>(predicate: #Predicate { $0.manufacturer == "CESSNA" })
    let before = try context.fetchCount(cessna)
    for plane in try context.fetch(cessna) { context.delete(plane) }
    let during = try context.fetchCount(cessna)
    context.rollback()
    let after = try context.fetchCount(cessna)
    return ResultTable(
      "", "Planes of Cessna", rows: [["before", before], ["deleted, not saved", during], ["rolled back", after]])
  }
}
