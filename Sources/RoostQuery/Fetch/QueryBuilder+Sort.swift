package import Foundation
package import RoostCore
internal import RoostSQL

extension QueryBuilder {
  /// SQLite takes 2,000 terms, and a descriptor may need two.
  private static var mostDescriptors: Int { 250 }

  /// Sorts by the descriptors in turn, and at last by primary key, so that pages neither repeat nor skip a row.
  ///
  /// `section`: what rows that are to be side by side have in common. The first descriptor may say in which order.
  package mutating func sort<M: PersistentModel>(
    _ descriptors: [SortDescriptor<M>], sectionBy section: PartialKeyPath<M>? = nil
  ) throws {
    guard descriptors.count <= Self.mostDescriptors else {
      throw SwiftDataError(
        .unsupportedSortDescriptor,
        "\(descriptors.count) descriptors are more than the \(Self.mostDescriptors) that a query may sort by.",
        model: root.entity.name, remedy: "Leave out those behind the first that tells all models apart.")
    }
    let sectionOrders = try section.map { try sortKeys($0, order: nil, isSection: true).map { SQLOrder($0) } } ?? []
    let isLed = section?.leads(descriptors) ?? false
    orders = isLed ? [] : sectionOrders
    for (place, descriptor) in descriptors.enumerated() {
      let isAscending = descriptor.order == .forward
      orders += try sortKeys(descriptor).map { SQLOrder($0, ascending: isAscending) }
      // Strings that a language takes for the same are different sections.
      if isLed, place == 0, descriptor.keyPath?.textOrder != nil { orders += sectionOrders }
    }
    if orders.isEmpty { return }
    orders.append(SQLOrder(root.key, ascending: descriptors.last?.order != .reverse))
  }

  private func sortKeys<M: PersistentModel>(_ descriptor: SortDescriptor<M>) throws -> [SQLExpression] {
    let model = root.entity.name
    guard let keyPath = descriptor.keyPath else {
      throw SwiftDataError.unsupportedSortDescriptor(
        "A comparison by code cannot be part of a query: sort \(model) by stored properties.", model: model)
    }
    return try sortKeys(keyPath, order: descriptor.textOrder(), isSection: false)
  }

  /// `isSection`: whether it is enough that equal values are side by side.
  private func sortKeys(
    _ keyPath: AnyKeyPath, order: (any TextOrder.Type)?, isSection: Bool
  ) throws -> [SQLExpression] {
    let model = root.entity.name
    if let keys = try RelatedOrders.sql(keyPath)?(self) { return keys }
    let term = try term(keyPath, refusal: SwiftDataError.unsupportedSortDescriptor)
    // NULL is less than anything in SQL as nil is in a sort descriptor.
    if case .value(let value) = term {
      if let order, value.meaning.semantics == .string { return [.collate(value.sql, order.collation)] }
      if order == nil, let keys = try translator.sortKeys(value) { return keys }
      if isSection { return [value.sql] }
    }
    if case .row(let row) = term, isSection || root.entity.isIdentity(keyPath) { return [row.presentKey ?? row.key] }
    throw SwiftDataError.unsupportedSortDescriptor(
      "SQL knows no order of `\(keyPath.sourceText)`: sort by a property that is a number, text, date or the like.",
      model: model)
  }
}
