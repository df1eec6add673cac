import SwiftData

/// The models that rows refer to by a code, as one context has them.
///
/// Each table is fetched whole: a few thousand models in one fetch take less time than a fetch for every row.
final class KnownModels {
  private let airlines: [String: Airline]
  private let airports: [String: Airport]
  private let planes: [String: Plane]
  /// How often each plane and each airport was asked for that has no row.
  private(set) var missingPlanes: [String: Int] = [:]
  private(set) var missingAirports: [String: Int] = [:]

  init(_ context: ModelContext) throws {
    airlines = try Self.table(\.code, context)
    airports = try Self.table(\.code, context)
    planes = try Self.table(\.tailNumber, context)
  }

  /// The airline with a code.
  /// - Throws: ``UnknownCode`` when there is none: a flight cannot be without.
  func airline(_ code: String) throws -> Airline {
    guard let airline = airlines[code] else { throw UnknownCode(kind: "airline", code: code) }
    return airline
  }

  /// The airport with a code, nil when there is none.
  func airport(_ code: String) -> Airport? {
    if let airport = airports[code] { return airport }
    missingAirports[code, default: 0] += 1
    return nil
  }

  /// The airport with a code that cannot be missing.
  func requiredAirport(_ code: String) throws -> Airport {
    guard let airport = airport(code) else { throw UnknownCode(kind: "airport", code: code) }
    return airport
  }

  /// The plane with a tail number, nil when there is none.
  func plane(_ tailNumber: String) -> Plane? {
    if let plane = planes[tailNumber] { return plane }
    missingPlanes[tailNumber, default: 0] += 1
    return nil
  }

  private static func table<Model: PersistentModel>(
    _ code: KeyPath<Model, String>, _ context: ModelContext
  ) throws -> [String: Model] {
    let models = try context.fetch(FetchDescriptor<Model>())
    return Dictionary(uniqueKeysWithValues: models.map { ($0[keyPath: code], $0) })
  }
}

/// A row refers to something that it cannot be without, and that has no row.
public struct UnknownCode: Error, CustomStringConvertible {
  public let kind: String
  public let code: String
  public var description: String { "There is no \(kind) with the code \(code), which a row refers to." }
}
