import Foundation
import Roost

enum Operation: String, CaseIterable {
  /// New models, and one save.
  case insert
  /// Into a new context, every value read.
  case fetch
  /// Where the models are registered, every value read.
  case refetch
  /// One by one by identifier, in a new context, every value read.
  case lookup
  /// One by one by a unique title, in a new context, every value read.
  case find
  /// A property of each, and one save.
  case update
  /// New models with titles that are there, and one save.
  case upsert
  /// Each, and one save.
  case delete
  /// A new model and a save, again and again.
  case saves
  /// Into a new context, and from each row to one of few others.
  case walk
  /// New models, each linked to one of few others in its initialiser, and one save.
  case link
  /// The same where the relationship is not optional: the initialiser links a model that is not whole yet.
  case linkRequired = "link-required"
  /// New models of ten integers, and one save.
  case integers
  /// The same into a new context, every value read.
  case readIntegers = "read-integers"

  private static let placeCount = 50
  private static let flockSize = 40

  /// What is to be counted, and what says from its result and the store whether it did what it should.
  struct Prepared {
    let work: () throws -> Int
    let check: (Int) throws -> Void
  }

  var rowCount: Int { self == .saves ? 200 : 2_000 }

  /// Over a new file. Whatever the work makes, a context included, it frees; models that are there before, it does not.
  func prepared(in file: URL) throws -> Prepared {
    switch self {
    case .insert, .saves: try preparedInsert(file)
    case .fetch, .lookup: try preparedRead(file)
    case .refetch, .update, .delete: try preparedEdit(file)
    case .find: try preparedFind(file)
    case .upsert: try preparedUpsert(file)
    case .walk: try preparedWalk(file)
    case .link: try preparedLink(file, Flock.init(name:), Bird.init(_:flock:))
    case .linkRequired: try preparedLink(file, Nest.init(name:), Egg.init(_:nest:))
    case .integers: try preparedIntegers(file)
    case .readIntegers: try preparedReadIntegers(file)
    }
  }

  private func preparedInsert(_ file: URL) throws -> Prepared {
    let container = try ModelContainer(for: Entry.self, configurations: ModelConfiguration(url: file))
    let rows = Row.rows(rowCount)
    return prepared(container, Entry.self, holds: rows) {
      let context = ModelContext(container)
      for row in rows {
        context.insert(Entry(row))
        if self == .saves { try context.save() }
      }
      if self == .insert { try context.save() }
      return 0
    }
  }

  private func preparedRead(_ file: URL) throws -> Prepared {
    let rows = Row.rows(rowCount)
    let container = try filled(file, rows, Entry.init)
    let identifiers = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Entry>())
    return prepared(container, Entry.self, holds: rows, reads: rows.size) {
      let context = ModelContext(container)
      defer { withExtendedLifetime(context) {} }
      if self == .fetch { return try context.fetch(FetchDescriptor<Entry>()).size }
      return identifiers.reduce(0) { $0 + ((context.model(for: $1) as? Entry)?.size ?? 0) }
    }
  }

  private func preparedEdit(_ file: URL) throws -> Prepared {
    let rows = Row.rows(rowCount)
    let container = try filled(file, rows, Entry.init)
    let context = ModelContext(container)
    let entries = try context.fetch(FetchDescriptor<Entry>())
    let expected =
      switch self {
      case .update: Row.rows(rowCount, later: 1)
      case .delete: [Row]()
      default: rows
      }
    return prepared(container, Entry.self, holds: expected, reads: self == .refetch ? rows.size : 0) {
      switch self {
      case .update: for entry in entries { entry.date += 1 }
      case .delete: for entry in entries { context.delete(entry) }
      default: return try context.fetch(FetchDescriptor<Entry>()).size
      }
      try context.save()
      return 0
    }
  }

  private func preparedFind(_ file: URL) throws -> Prepared {
    let rows = Row.rows(rowCount)
    let container = try filled(file, rows, UniqueEntry.init)
    return prepared(container, UniqueEntry.self, holds: rows, reads: rows.size) {
      let context = ModelContext(container)
      defer { withExtendedLifetime(context) {} }
      return try rows.reduce(0) { sum, row in
        let title = row.title
        var descriptor = FetchDescriptor<UniqueEntry>(predicate: #Predicate { $0.title == title })
        descriptor.fetchLimit = 1
        return try sum + context.fetch(descriptor).size
      }
    }
  }

  private func preparedUpsert(_ file: URL) throws -> Prepared {
    let container = try filled(file, Row.rows(rowCount), UniqueEntry.init)
    let later = Row.rows(rowCount, later: 1)
    return prepared(container, UniqueEntry.self, holds: later) {
      let context = ModelContext(container)
      for row in later { context.insert(UniqueEntry(row)) }
      try context.save()
      return 0
    }
  }

  private func preparedWalk(_ file: URL) throws -> Prepared {
    let rows = Row.rows(rowCount)
    let places = (0..<Self.placeCount).map { Place(name: "A place by the river, number \(100 + $0)") }
    var count = 0
    let container = try filled(file, rows) { row in
      count += 1
      let visit = Visit(row)
      visit.place = places[count % places.count]
      return visit
    }
    let nameSize = places[0].name.utf8.count
    return prepared(container, Visit.self, holds: rows, reads: nameSize * rowCount) {
      let context = ModelContext(container)
      defer { withExtendedLifetime(context) {} }
      return try context.fetch(FetchDescriptor<Visit>()).reduce(0) { $0 + ($1.place?.name.utf8.count ?? 0) }
    }
  }

  private func preparedLink<Owner: PersistentModel, Model: PersistentModel & EntryValues>(
    _ file: URL, _ makeOwner: @escaping (String) -> Owner, _ make: @escaping (Row, Owner) -> Model
  ) throws -> Prepared {
    let rows = Row.rows(rowCount)
    let container = try ModelContainer(for: Model.self, configurations: ModelConfiguration(url: file))
    return prepared(container, Model.self, holds: rows) {
      let context = ModelContext(container)
      var owner = makeOwner("")
      for (index, row) in rows.enumerated() {
        if index % Self.flockSize == 0 {
          owner = makeOwner("A flock by the river, number \(100 + index)")
          context.insert(owner)
        }
        context.insert(make(row, owner))
      }
      try context.save()
      return 0
    }
  }

  private func preparedIntegers(_ file: URL) throws -> Prepared {
    let container = try ModelContainer(for: Tally.self, configurations: ModelConfiguration(url: file))
    return Prepared {
      let context = ModelContext(container)
      for number in 0..<rowCount { context.insert(Tally(number)) }
      try context.save()
      return 0
    } check: { _ in
      try checkTallies(container, Tally.size(rowCount))
    }
  }

  private func preparedReadIntegers(_ file: URL) throws -> Prepared {
    let container = try filled(file, Array(0..<rowCount), Tally.init)
    return Prepared {
      let context = ModelContext(container)
      defer { withExtendedLifetime(context) {} }
      return try context.fetch(FetchDescriptor<Tally>()).reduce(0) { $0 + $1.size }
    } check: { read in
      try checkTallies(container, read)
    }
  }

  private func checkTallies(_ container: ModelContainer, _ read: Int) throws {
    let stored = try ModelContext(container).fetch(FetchDescriptor<Tally>())
    guard stored.count == rowCount, stored.reduce(0, { $0 + $1.size }) == read else {
      throw CocoaError(.fileReadCorruptFile)
    }
  }

  private func filled<Element, Model: PersistentModel>(
    _ file: URL, _ rows: [Element], _ make: (Element) -> Model
  ) throws -> ModelContainer {
    let container = try ModelContainer(for: Model.self, configurations: ModelConfiguration(url: file))
    let context = ModelContext(container)
    for row in rows { context.insert(make(row)) }
    try context.save()
    return container
  }

  /// Counts of work that went wrong say nothing: this looks at what it has read, and at
  /// what the store holds afterwards.
  private func prepared<Model: PersistentModel & EntryValues>(
    _ container: ModelContainer, _ type: Model.Type, holds rows: [Row], reads size: Int = 0,
    work: @escaping () throws -> Int
  ) -> Prepared {
    Prepared(work: work) { read in
      let stored = try ModelContext(container).fetch(FetchDescriptor<Model>())
      guard read == size, stored.count == rows.count, stored.size == rows.size else {
        throw CocoaError(.fileReadCorruptFile)
      }
    }
  }
}
