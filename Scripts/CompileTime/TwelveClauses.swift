import Foundation
import SwiftData

/// Twelve clauses, whose type is known from where the predicate stands alone.
func twelveClauses(text: String, since: Date, names: [String], excluded: UUID) -> FetchDescriptor<Item> {
  let worn = Condition.worn
  return FetchDescriptor<Item>(
    predicate: #Predicate {
      $0.isActive && !$0.isHidden
        && $0.name.localizedStandardContains(text)
        && $0.name != "untitled"
        && ($0.details?.contains(text) ?? false || $0.details == nil)
        && $0.count >= $0.minimum
        && $0.price * 2 < 500
        && ($0.weight ?? 0) < 40
        && $0.created > since
        && $0.condition != worn
        && names.contains($0.name)
        && $0.identifier != excluded
    })
}
