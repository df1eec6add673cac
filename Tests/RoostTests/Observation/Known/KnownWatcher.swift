import Foundation
import Observation
import Roost

extension SharedFolder: RowValues {
  /// Without the cover: one that is deleted without an inverse is told with the save.
  var rowValues: [AnyHashable?] { [name, number, parent?.persistentModelID] }
}

/// What observes one context, in each way there is.
@MainActor final class KnownWatcher {
  let context: ModelContext
  private let isDraft: Bool
  private let results: ResultsObserver<SharedFolder, Never>
  private let sections: ResultsObserver<SharedFolder, String>
  private let readers: [@MainActor () async throws -> String?]
  private let models: [KnownModel]
  private let values: [KnownValue]

  init(_ user: SharedUser, seed: Int) throws {
    context = user.context
    isDraft = user.parent != nil
    results = try ResultsObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
    sections = try ResultsObserver(
      filterBy: #Predicate { $0.parent?.name != "1" }, sortBy: [SortDescriptor(\.number)], sectionBy: \.name,
      modelContext: context)
    let byName = SectionKey<SharedFolder, String>(\.name)
    readers = [
      try ChangesReader(results, isExact: false).read,
      try ChangesReader(sections, sectionBy: byName, isExact: false).read,
    ]
    let folders = try context.fetch(FetchDescriptor<SharedFolder>(sortBy: [SortDescriptor(\.number)]))
    let observed = folders.dropFirst(seed).prefix(2)
    models = observed.map { KnownModel($0, user.context) }
    values = [
      KnownValue(context.observe(FetchDescriptor<SharedFile>(), .sum(\.number)).makeAsyncIterator()) { context in
        try context.aggregate(FetchDescriptor<SharedFile>(), .sum(\.number))
      },
      KnownValue(context.observe(Self.filed, .count).makeAsyncIterator()) { try $0.fetchCount(Self.filed) },
    ]
  }

  private static var filed: FetchDescriptor<SharedFile> {
    FetchDescriptor(predicate: #Predicate { $0.folder?.parent != nil })
  }

  /// Compares what observers have and were told with what a fetch finds.
  func look(_ tally: KnownTally) async throws {
    // Another program's writes are noticed by whoever reads next.
    _ = try context.fetch(FetchDescriptor<SharedTag>())
    let hadChanges = context.hasChanges
    try compareResults()
    for (reader, kind) in zip(readers, [KnownTally.Kind.results, .sections]) {
      guard let difference = try await reader() else { continue }
      tally.note(isDraft ? .draft : kind)
      if !difference.isEmpty { throw mismatch("a reader of \(kind): \(difference)") }
    }
    do {
      for model in models { if try await model.look() { tally.note(.model) } }
      for value in values { if try await value.look(context) { tally.note(.value) } }
    } catch let error as SharedMismatch {
      throw mismatch(error.message)
    }
    if context.hasChanges != hadChanges { throw mismatch("a look made changes") }
  }

  private func compareResults() throws {
    let found = try context.fetch(results.fetchDescriptor)
    if Array(results.results) != found { throw mismatch("results are not what a fetch finds") }
    if let shown = sections.sections {
      let found = try context.fetch(sections.fetchDescriptor, sectionBy: \SharedFolder.name)
      if shown != found { throw mismatch("sections are not what a fetch finds") }
    }
  }

  private func mismatch(_ message: String) -> SharedMismatch {
    SharedMismatch(message: "\(isDraft ? "draft" : "context"), \(message)")
  }
}

/// A model that is observed in both ways: by a loop, and by Observation.
@MainActor private final class KnownModel {
  private let model: SharedFolder
  private var iterator: ObservedModel<SharedFolder>.Iterator
  private var seen: [AnyHashable?]
  private var isTold = ToldFlag()
  private var isOver = false

  init(_ model: SharedFolder, _ context: ModelContext) {
    self.model = model
    iterator = context.observe(model).makeAsyncIterator()
    seen = []
    track()
  }

  private func track() {
    let flag = ToldFlag()
    isTold = flag
    seen = withObservationTracking {
      model.rowValues
    } onChange: {
      flag.set()
    }
  }

  /// Whether there was something new.
  func look() async throws -> Bool {
    if isOver { return false }
    // That the row of one that was not read is gone, as after a rollback, is found by reading it.
    let now = model.rowValues
    if model.isDeleted || model.modelContext == nil {
      isOver = await told({ await self.next() }) == nil
      return true
    }
    if now == seen { return false }
    if !isTold.isSet { throw SharedMismatch(message: "a model was \(seen), is \(now), and nobody was told") }
    if await told({ await self.next() }) == nil {
      throw SharedMismatch(message: "a loop is not told that a model was \(seen) and is \(now)")
    }
    track()
    return true
  }

  private func next() async -> Bool? {
    // A copy, as nothing of an actor's may be changed while it waits.
    var reader = iterator
    defer { iterator = reader }
    return await reader.next() == nil ? nil : true
  }
}

/// A value that the database makes of rows.
@MainActor private final class KnownValue {
  private let read: @MainActor () async throws -> Int?
  private let now: (ModelContext) throws -> Int?
  private var seen: Int??

  init(
    _ iterator: ObservedAggregate<SharedFile, Int>.Iterator, now: @escaping (ModelContext) throws -> Int?
  ) {
    var iterator = iterator
    self.now = now
    read = {
      var reader = iterator
      defer { iterator = reader }
      return try await reader.next()
    }
  }

  /// Whether it is another one.
  func look(_ context: ModelContext) async throws -> Bool {
    let value = try now(context)
    if seen == .some(value) { return false }
    seen = value
    let found = await told { try? await self.read() }
    if found != value { throw SharedMismatch(message: "a value is \(value ?? 0), and its loop told \(found ?? -1)") }
    return true
  }
}
