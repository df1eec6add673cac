public import RoostCore
internal import RoostEngine
internal import RoostSQL

extension ModelContext {
  /// The models that come after one, in the descriptor's order: the next page of a long list.
  ///
  /// ```swift
  /// var descriptor = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.date, order: .reverse), SortDescriptor(\.title)])
  /// descriptor.fetchLimit = 50
  /// var page = try context.fetch(descriptor)
  /// while let last = page.last {
  ///   show(page)
  ///   page = try context.fetch(descriptor, after: last)
  /// }
  /// ```
  /// As ``fetch(_:)`` with ``FetchDescriptor/fetchAfter``, which see.
  /// - Parameters:
  ///   - descriptor: what to find, in which order, and how many models make a page (`fetchLimit`).
  ///   - model: the last one of the page before; nil for the first page.
  /// - Returns: as many models as the limit says, or those that are left; empty behind the last one.
  /// - Throws: what a fetch does; ``SwiftDataError/unsupportedSortDescriptor`` when the descriptor has no order, and
  ///   ``SwiftDataError/rowNotFound`` when the model's row is gone.
  public func fetch<T>(_ descriptor: FetchDescriptor<T>, after model: T?) throws -> [T] where T: PersistentModel {
    var descriptor = descriptor
    descriptor.fetchAfter = model?.persistentModelID ?? descriptor.fetchAfter
    return try fetch(descriptor)
  }

  /// Has a query begin after the model that the descriptor names. `sorted`: a query for all rows, in the same order.
  func begin<T: PersistentModel>(
    _ query: inout QueryBuilder, after identifier: PersistentIdentifier, _ descriptor: FetchDescriptor<T>,
    sorted: QueryBuilder
  ) throws {
    let entity = query.root.entity
    guard !query.orders.isEmpty else {
      throw SwiftDataError(
        .unsupportedSortDescriptor, "What comes after a model is known only in an order.", model: entity.name,
        remedy: #"Give the descriptor one: sortBy: [SortDescriptor(\.persistentModelID)] does."#)
    }
    guard let named = store.schema.entity(of: identifier), named.root === entity.root,
      let key = key(of: identifier, named), let values = try position(key, sorted, descriptor)
    else {
      throw SwiftDataError(
        .rowNotFound, "No row of \(entity.name) is the one that the page is to begin after.", model: entity.name,
        row: identifier,
        remedy: "Begin after another model of the page before, or fetch the first page again.")
    }
    query.begin(behind: values)
  }

  /// What a row has in the columns that rows are sorted by; nil when there is none.
  private func position<T: PersistentModel>(
    _ key: Int64, _ sorted: QueryBuilder, _ descriptor: FetchDescriptor<T>
  ) throws -> [SQLValue]? {
    let text = SQLitePrinter.print(sorted.selectPosition(key: key))
    func values(pending: Bool) throws -> [SQLValue]? {
      try read(text, for: sorted, pending: pending) { statement in
        try statement.step() ? sorted.orders.indices.map { statement.sqlValue(Int32($0)) } : nil
      }
    }
    let found = try values(pending: descriptor.includePendingChanges)
    // A model that is to be deleted has its place until then.
    return try found ?? (descriptor.includePendingChanges ? values(pending: false) : nil)
  }
}
