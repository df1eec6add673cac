import Foundation
import Roost
import RoostSync

/// One of the programs that share the flights.
struct Program {
  let name: String
  let container: ModelContainer
  let context: ModelContext
  let sync: SyncEngine

  /// Opens a store of its own, which is synced with the server.
  init(_ name: String, folder: URL, server: URL) throws {
    self.name = name
    var configuration = ModelConfiguration("flights", url: folder.appending(path: "\(name).store"))
    configuration.sync = .server(server, token: { "airline" })
    container = try ModelContainer(for: Flight.self, configurations: configuration)
    context = ModelContext(container)
    guard let sync = container.sync else { throw CocoaError(.featureUnsupported) }
    self.sync = sync
  }

  func flight(_ number: String) throws -> Flight {
    var descriptor = FetchDescriptor<Flight>(predicate: #Predicate { $0.number == number })
    descriptor.fetchLimit = 1
    guard let flight = try context.fetch(descriptor).first else {
      throw CocoaError(.fileReadUnknown)
    }
    return flight
  }

  /// Changes a flight, and saves it.
  func change(_ number: String, _ what: String, _ body: (Flight) -> Void) throws {
    body(try flight(number))
    try context.save()
    print("  \(name): \(what)")
  }

  func printFlights() throws {
    for flight in try context.fetch(FetchDescriptor<Flight>(sortBy: [SortDescriptor(\.number)])) {
      print(
        "  \(name): \(flight.number) from \(flight.origin.code) (\(flight.origin.name)), gate \(flight.gate), \(flight.delay) min late, "
          + "\(flight.bags) bags\(flight.remarks.isEmpty ? "" : ", \(flight.remarks.sorted().joined(separator: ", "))")"
      )
    }
  }

  func printStatus() {
    let status = sync.status
    print("  \(name): \(status.phase), \(status.waitingChanges) changes wait")
  }

  func printJournal() throws {
    for conflict in try sync.conflicts() {
      print(
        "  \(name): \(conflict.model).\(conflict.property ?? "") was \(conflict.ancestor.written), "
          + "here \(conflict.local?.written ?? "-"), there \(conflict.remote?.written ?? "-"): \(conflict.outcome)")
    }
  }
}

extension SQLValue {
  /// As a person would write it.
  fileprivate var written: String {
    switch self {
    case .null: "nothing"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
