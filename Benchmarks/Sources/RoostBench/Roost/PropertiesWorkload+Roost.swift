import Foundation
import Roost

extension PropertiesWorkload {
  func roostRead(in folder: URL) throws -> Round {
    let (_, counters) = try Self.fetched(in: folder)
    return reads {
      switch self {
      case .integer: counters.reduce(0) { $0 &+ $1.count }
      case .string: counters.reduce(0) { $0 &+ $1.title.utf8.count }
      }
    }
  }

  /// Each walk finds all models without changes: those of the one before have been saved.
  func roostWrite(in folder: URL) throws -> Round {
    let (context, counters) = try Self.fetched(in: folder)
    return writes { value in
      switch self {
      case .integer: for counter in counters { counter.count = value }
      case .string:
        let title = UpdateWorkload.title(value)
        for counter in counters { counter.title = title }
      }
    } check: { value in
      try context.save()
      return counters.allSatisfy { self == .integer ? $0.count == value : $0.title == UpdateWorkload.title(value) }
    }
  }

  private static func fetched(in folder: URL) throws -> (ModelContext, [Counter]) {
    let file = folder.appending(path: "counters.store")
    let container = try ModelContainer(for: Counter.self, configurations: ModelConfiguration(measured: file))
    try Database(file, tuned: true).execute(UpdateWorkload.insertion(into: "Counter", count: objectCount))
    let context = ModelContext(container)
    return (context, try context.fetch(FetchDescriptor()))
  }
}
