public import RoostCore
import RoostEngine
import RoostSQL

extension ModelContext {
  /// As ``fetch(_:)``, without the rows that cannot be read: a bad row does not hide the good ones.
  ///
  /// ```swift
  /// let notes = try context.fetch(FetchDescriptor<Note>()) { error in
  ///   logger.error("\(error)")   // The property, the row, and how to look at it.
  /// }
  /// ```
  /// While every row is sound, it runs what ``fetch(_:)`` does. After a bad one the matching keys are read, and rows by
  /// halves: some twice the binary logarithm of the number of rows in statements for each bad one.
  /// - Parameters:
  ///   - descriptor: what to find.
  ///   - unreadable: called for each row that holds no value of a property's type, with a
  ///     ``SwiftDataError/corruptValue`` that names entity, property and row.
  /// - Returns: the models whose rows are sound, in the descriptor's order.
  /// - Throws: what `unreadable` throws, and what ``fetch(_:)`` does for other reasons than a bad row.
  public func fetch<T>(
    _ descriptor: FetchDescriptor<T>, unreadable: (SwiftDataError) throws -> Void
  ) throws -> [T] where T: PersistentModel {
    do {
      return try fetch(descriptor)
    } catch let error as SwiftDataError where error == .corruptValue {
      let (entity, query) = try query(descriptor)
      let text = SQLitePrinter.print(query.select([primaryKeyColumn]))
      var errors: [SwiftDataError] = []
      var keys = try read(text, for: query, pending: descriptor.includePendingChanges) { statement in
        var keys: [Int64] = []
        while try statement.step() {
          do {
            try core.check(statement.int64(0), of: entity)
            keys.append(statement.int64(0))
          } catch let error as SwiftDataError where error == .corruptValue {
            errors.append(error)
          }
        }
        return keys
      }
      for error in errors { try unreadable(error) }
      var found: [Int64: any PersistentModel] = [:]
      for key in keys {
        // Those without a row.
        if let model = core.existing(ordinal: entity.ordinal, key: key), model._$state.flags.contains(.inserted) {
          found[key] = model
        }
      }
      func leaveOut(_ error: SwiftDataError, _ key: Int64) throws {
        keys.removeAll { $0 == key }
        try unreadable(error)
      }
      try SwiftDataError.translating {
        let stored = try core.readStored(entity, keys.filter { found[$0] == nil }, bad: leaveOut)
        try withExtendedLifetime(stored) {
          try core.readRows(entity, keys.filter { found[$0] == nil }, bad: leaveOut) { found[$0._$state.key] = $0 }
        }
      }
      return keys.compactMap { key in found[key].flatMap { ($0 as AnyObject) as? T } }
    }
  }
}
