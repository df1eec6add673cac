package import Foundation
internal import RoostSQL

extension QueryBuilder {
  /// Sorts by the descriptors in turn, and at last by primary key, so that pages neither repeat nor skip a row.
  package mutating func sort<M: PersistentModel>(_ descriptors: [SortDescriptor<M>]) throws {
    orders = []
    for descriptor in descriptors {
      let isAscending = descriptor.order == .forward
      orders += try sortKeys(descriptor).map { SQLOrder($0, ascending: isAscending) }
    }
    guard let last = descriptors.last else { return }
    orders.append(SQLOrder(root.key, ascending: last.order == .forward))
  }

  private func sortKeys<M: PersistentModel>(_ descriptor: SortDescriptor<M>) throws -> [SQLExpression] {
    let model = root.entity.name
    guard let keyPath = descriptor.keyPath else {
      throw SwiftDataError.unsupportedSortDescriptor(
        "A comparison by code cannot be part of a query: sort \(model) by stored properties.", model: model)
    }
    let order = try descriptor.textOrder()
    let field = root.entity.path(for: keyPath) == nil ? root.entity.fieldPath(for: keyPath) : nil
    guard let path = root.entity.path(for: keyPath) ?? field?.properties else {
      if root.entity.isIdentity(keyPath) { return [root.key] }
      if let name = root.entity.ephemeralName(for: keyPath) {
        throw SwiftDataError.ephemeralKeyPath(name, model: model)
      }
      if let problem = root.entity.opacity(of: keyPath) {
        throw SwiftDataError.unsupportedSortDescriptor("SQL cannot sort by `\(keyPath)`. \(problem)", model: model)
      }
      throw SwiftDataError.unsupportedKeyPath(
        "`\(keyPath)` is no stored property of \(model), so that SQL cannot sort by it.", model: model)
    }
    if let problem = path.last?.opacity {
      let name = path.map(\.name).joined(separator: "?.")
      throw SwiftDataError.unsupportedSortDescriptor("SQL cannot sort by `\(name)`. \(problem)", model: model)
    }
    var value = try field.map { try translator.term($0, of: root) } ?? translator.term(path, of: root)
    if case .optional(_, let wrapped) = value { value = wrapped }
    // NULL is less than anything in SQL as nil is in a sort descriptor.
    if case .value(let value) = value {
      if let order, value.meaning.semantics == .string { return [.collate(value.sql, order.collation)] }
      if order == nil, let keys = try translator.sortKeys(value) { return keys }
    }
    let name = (path.map(\.name) + (field?.field.keys ?? [])).joined(separator: "?.")
    throw SwiftDataError.unsupportedSortDescriptor(
      "SQL knows no order of `\(name)` of \(model): sort by a property that is a number, text, date or the like.",
      model: model)
  }
}
