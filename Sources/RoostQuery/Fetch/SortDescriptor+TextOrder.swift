import Foundation
import RoostCore

extension SortDescriptor where Compared: PersistentModel {
  /// The order of strings that the descriptor asks for; nil for the values' own.
  ///
  /// - Throws: `SwiftDataError.unsupportedSortDescriptor` for a comparator that no collation is the same as.
  func textOrder() throws -> (any TextOrder.Type)? {
    if let order = keyPath?.textOrder { return order }
    guard let stringComparator else { return nil }
    // The descriptor's own direction is the one that counts.
    let comparator = String.StandardComparator(stringComparator, order: .forward)
    if comparator == .lexical { return nil }
    #if canImport(Darwin)
      if comparator == .localized { return LocalizedOrder.self }
      if comparator == .localizedStandard { return LocalizedStandardOrder.self }
    #endif
    throw SwiftDataError.unsupportedSortDescriptor(
      "SQL cannot compare strings as \(stringComparator) does: use .lexical, .localized or .localizedStandard.",
      model: "\(Compared.self)")
  }
}
