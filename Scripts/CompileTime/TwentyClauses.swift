import Foundation
import SwiftData

/// Twenty clauses: comparisons, optionals, strings, dates, an enum, captured values.
func twentyClauses(text: String, since: Date, names: [String], excluded: UUID) -> Predicate<Item> {
  let worn = Condition.worn
  return #Predicate<Item> {
    $0.isActive && !$0.isHidden
      && $0.name.localizedStandardContains(text)
      && !$0.name.isEmpty
      && $0.name != "untitled"
      && ($0.details?.contains(text) ?? false || $0.details == nil)
      && $0.count > 0
      && $0.count >= $0.minimum
      && $0.count + $0.minimum < 1_000
      && $0.count != 13
      && $0.price > 0.5
      && $0.price * 2 < 500
      && ($0.weight ?? 0) < 40
      && $0.weight != nil
      && $0.created > since
      && $0.sold == nil
      && $0.condition != worn
      && names.contains($0.name)
      && $0.identifier != excluded
      && ($0.minimum == 0 || $0.price < 100)
  }
}
