import FlightsModel
import Foundation
import SwiftData
import Testing

/// What the tests import: a few made-up rows, and the real ones where they have been fetched.
enum DataSet: CaseIterable, CustomTestStringConvertible {
  case fixture, nycflights

  static var available: [DataSet] { allCases.filter { (try? $0.data()) != nil } }

  /// A slice of the real rows, as a test in a debug build has to be quick too.
  var limit: Int? { self == .fixture ? nil : 20_000 }

  func data() throws -> FlightsData {
    switch self {
    case .fixture: try FlightsData(folder: Bundle.module.bundleURL.appending(path: "Fixture"))
    case .nycflights: try FlightsData()
    }
  }

  var testDescription: String { "\(self)" }
}

/// Imports a data set into a new database and runs `body` with it.
func withDatabase<Result>(
  _ data: DataSet, limit: Int? = nil, onProgress: @escaping @Sendable (ImportProgress) -> Void = { _ in },
  isolation: isolated (any Actor)? = #isolation, body: (URL, ImportReport) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "flights-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let database = folder.appending(path: "flights.store")
  let importer = FlightsImporter(modelContainer: try FlightsStore.open(database))
  let report = try await importer.run(data: try data.data(), limit: limit, onProgress: onProgress)
  return try await body(database, report)
}
