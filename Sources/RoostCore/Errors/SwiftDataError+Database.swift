package import RoostEngine

extension SwiftDataError {
  /// SQLite's extended result code, such as 5 for a lock; nil when SQLite had no part in the error.
  ///
  /// Source: [SQLite, result codes](https://www.sqlite.org/rescode.html).
  public var sqliteCode: Int? { (underlying as? DatabaseError).map { Int($0.code) } }

  /// The SQL statement that failed, when there was one.
  public var sql: String? { (underlying as? DatabaseError)?.sql }

  /// What SQLite's refusal of a statement means, apart from the constraints that a save may violate.
  package static func reading(_ error: DatabaseError) -> SwiftDataError {
    if error == .poolIsClosed { return SwiftDataError(.storeClosed, underlying: error) }
    let code = code(of: error)
    return SwiftDataError(code, "\(code.message) \(error)", remedy: remedy(of: error), underlying: error)
  }

  /// The same for a query made from a predicate, which SQLite may refuse as too deep before it runs.
  package static func querying(_ error: DatabaseError) -> SwiftDataError {
    guard error.message.hasPrefix("parser stack overflow") || error.message.hasPrefix("Expression tree is too large")
    else { return reading(error) }
    return SwiftDataError(
      .unsupportedPredicate, "The predicate's parts are deeper inside each other than SQLite can read. \(error)",
      remedy: "Make it of fewer conditions, calculations and closures inside each other, or fetch in two steps.",
      underlying: error)
  }

  /// What to do where the kind alone does not tell.
  private static func remedy(of error: DatabaseError) -> String? {
    switch error.primaryCode {
    case DatabaseError.locked where error.sql == nil:
      "Within withDatabase(_:_:) use the database that it gives, and contexts before it or after it."
    case _ where error.code == DatabaseError.readOnlyMoved: nil
    // The configuration allows saving, or nothing would have been tried.
    case DatabaseError.readOnly: "Allow this user to write to the file and its folder."
    case DatabaseError.tooBig: "Keep such large values in files of their own."
    case _ where error.message.hasPrefix("integer overflow") || error.message.hasPrefix("The sum is greater"):
      "Ask about fewer rows, or keep the numbers as Double, whose sums are not exact and have no end."
    case DatabaseError.outOfMemory: "Fetch fewer models at a time, with fetchLimit or enumerate(_:)."
    default: nil
    }
  }

  private static func code(of error: DatabaseError) -> Code {
    switch error.primaryCode {
    case _ where error.code == DatabaseError.readOnlyMoved: .storeMoved
    case DatabaseError.busy, DatabaseError.locked: .storeBusy
    case DatabaseError.full: .storeFull
    case DatabaseError.ioError, DatabaseError.cantOpen: .storeInputOutput
    case DatabaseError.corrupt, DatabaseError.notADatabase: .storeDamaged
    case DatabaseError.readOnly: .readOnlyStore
    case DatabaseError.interrupt: .storeWaitCancelled
    default: .storeFailure
    }
  }

  /// Runs `body` and turns what SQLite reports into errors that a program can catch.
  package static func translating<Result>(
    _ translate: (DatabaseError) -> SwiftDataError = reading, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw translate(error)
    }
  }
}
