import Foundation
import SwiftData

/// Imports the data set, a batch of rows at a time.
@ModelActor
public actor FlightsImporter {
  private static let batchSize = 10_000

  /// Imports all tables into a database that is empty.
  ///
  /// - Parameters:
  ///   - data: where the CSV files are.
  ///   - limit: how many flights, and how many rows of weather, to import at most; nil for all.
  ///   - onProgress: called every thousand rows, on this actor.
  /// - Returns: what was imported, and what rows refer to that is not there.
  /// - Throws: ``CSVError`` with the line, ``UnknownCode``, ``UnexpectedRows`` when the database was not empty, or what
  ///   saving a batch throws; earlier batches stay.
  public func run(
    data: FlightsData, limit: Int? = nil, onProgress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) throws -> ImportReport {
    let start = ContinuousClock.now
    let meter = try ProgressMeter(data: data, report: onProgress)
    var report = ImportReport()
    report.airlines = try importRows(data.file(.airlines), meter, columns: Airline.Columns.init) { row, columns, _ in
      try Airline(row, columns)
    }
    report.airports = try importRows(data.file(.airports), meter, columns: Airport.Columns.init) { row, columns, _ in
      try Airport(row, columns)
    }
    report.planes = try importRows(data.file(.planes), meter, columns: Plane.Columns.init) { row, columns, _ in
      try Plane(row, columns)
    }
    report.weather = try importRows(data.file(.weather), meter, limit: limit, columns: Weather.Columns.init) {
      row, columns, known in
      try Weather(row, columns, known)
    }
    report.flights = try importRows(data.file(.flights), meter, limit: limit, columns: Flight.Columns.init) {
      row, columns, known in
      let flight = try Flight(row, columns, known)
      if flight.tailNumber == nil { report.flightsWithoutTailNumber += 1 }
      return flight
    } end: { known in
      report.unknownPlanes = known.missingPlanes
      report.unknownDestinations = known.missingAirports
    }
    report.duration = start.duration(to: .now)
    return report
  }

  /// Inserts the model that each row makes, and returns how many.
  private func importRows<Model: PersistentModel, Columns>(
    _ file: URL, _ meter: ProgressMeter, limit: Int? = nil, columns: (borrowing CSVReader) throws -> Columns,
    model: (borrowing CSVReader, Columns, KnownModels) throws -> Model, end: (KnownModels) -> Void = { _ in }
  ) throws -> Int {
    var reader = try CSVReader.open(file)
    let columns = try columns(reader)
    let limit = limit ?? .max
    // A context keeps no model alive that is saved, so memory holds one batch of rows, however many there are, and what
    // they refer to.
    let context = ModelContext(modelContainer)
    let known = try KnownModels(context)
    var rows = 0
    var hasMore = limit > 0
    while hasMore {
      let batchEnd = min(limit, rows + Self.batchSize)
      while rows < batchEnd, try reader.advance() {
        context.insert(try model(reader, columns, known))
        rows += 1
        if rows.isMultiple(of: 1_000) { meter.advance(to: file, reader.bytesConsumed, rows: rows, limit: limit) }
      }
      try context.save()
      hasMore = rows == batchEnd && rows < limit
    }
    let stored = try context.fetchCount(FetchDescriptor<Model>())
    guard stored == rows else { throw UnexpectedRows(file: file.lastPathComponent, stored: stored, read: rows) }
    meter.finish(file, rows: rows)
    end(known)
    return rows
  }
}

/// A table has another number of rows than were imported into it.
public struct UnexpectedRows: Error, CustomStringConvertible {
  public let file: String
  public let stored: Int
  public let read: Int
  public var description: String {
    "\(file) has \(read) rows, but its table has \(stored): import into a new database."
  }
}
