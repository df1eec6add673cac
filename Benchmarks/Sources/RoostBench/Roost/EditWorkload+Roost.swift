import Foundation
import Roost

extension EditWorkload {
  /// Models registered with a context of the round's own, and one save.
  func roost(in folder: URL) throws -> Round {
    let file = folder.appending(path: "counters.store")
    let container = try ModelContainer(for: Counter.self, configurations: ModelConfiguration(measured: file))
    return round(file, "Counter") {
      let context = ModelContext(container)
      return (context: context, counters: try context.fetch(FetchDescriptor<Counter>()))
    } edit: { rows in
      switch self {
      case .update: for counter in rows.counters { counter.count += 1 }
      case .delete: for counter in rows.counters { rows.context.delete(counter) }
      }
      try rows.context.save()
    }
  }
}
