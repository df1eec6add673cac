import Foundation
import Roost

extension Growth {
  /// Does the work once, with a file of its own.
  func roostTime(_ rows: [SampleRow], _ file: URL) throws -> Duration {
    if self == .upsert { return try upsertTime(rows, file) }
    let store = ModelConfiguration(measured: file)
    let container = try ModelContainer(for: Entry.self, configurations: store)
    if self != .insert { try Database(file, tuned: true).insert(rows, with: Entry.insertion) }
    // Models that are registered before the clock runs, where the work is about such.
    let registered = [.refetch, .update, .delete].contains(self) ? ModelContext(container) : nil
    let kept = try registered?.fetch(FetchDescriptor<Entry>()) ?? []
    let all = self == .lookUp ? try ModelContext(container).fetchIdentifiers(FetchDescriptor<Entry>()) : []
    let identifiers = Self.shuffled(all)
    return try timed {
      let context = registered ?? ModelContext(container)
      return (context, try work(rows, kept, identifiers, context))
    } check: { _, output in
      try check(file, "Entry", output.touch, rows)
      withExtendedLifetime(kept) {}
    }
  }

  private func work(
    _ rows: [SampleRow], _ kept: [Entry], _ identifiers: [PersistentIdentifier], _ context: ModelContext
  ) throws -> (found: [Entry], touch: Touch) {
    var (found, touch) = ([Entry](), Touch())
    switch self {
    case .insert: for row in rows { context.insert(Entry(row)) }
    case .fetch, .refetch:
      found = try context.fetch(FetchDescriptor<Entry>())
      for entry in found { touch.add(title: entry.title, body: entry.body, date: entry.date) }
    case .lookUp:
      for identifier in identifiers {
        guard let entry = context.model(for: identifier) as? Entry else { throw BenchmarkError("a row is missing") }
        touch.add(title: entry.title, body: entry.body, date: entry.date)
      }
    case .update: for entry in kept { entry.date = Self.later(entry.date) }
    case .delete: for entry in kept { context.delete(entry) }
    case .upsert: break
    }
    if !isReading { try context.save() }
    return (found, touch)
  }

  private func upsertTime(_ rows: [SampleRow], _ file: URL) throws -> Duration {
    let container = try ModelContainer(for: UniqueEntry.self, configurations: ModelConfiguration(measured: file))
    try Database(file, tuned: true).insert(
      rows, with: "INSERT INTO UniqueEntry (_pk, title, body, date) VALUES (?, ?, ?, ?)")
    let updates = Self.later(rows)
    return try timed {
      let context = ModelContext(container)
      for row in updates { context.insert(UniqueEntry(row)) }
      try context.save()
      return context
    } check: { _ in
      try check(file, "UniqueEntry", Touch(), rows)
    }
  }
}
