import Foundation
import SwiftData
import Testing

@Model final class Ticket {
  @Attribute(.unique) var number: Int
  var title: String
  var isClosed = false
  var labels: [Label]? = []

  init(number: Int, title: String) {
    self.number = number
    self.title = title
  }
}

@Model final class Label {
  @Attribute(.unique) var name: String
  @Relationship(inverse: \Ticket.labels) var tickets: [Ticket]?

  init(name: String) { self.name = name }
}

struct TicketData: Codable, Sendable, Hashable {
  var number: Int
  var title: String
  var labels: [String] = []
}

@ModelActor actor TicketImporter {
  private(set) var progress = 0.0
  static let batchSize = 10

  func importTickets(_ tickets: [TicketData]) throws -> [PersistentIdentifier] {
    modelContext.autosaveEnabled = false
    var made: [Ticket] = []
    for (place, data) in tickets.enumerated() {
      let ticket = Ticket(number: data.number, title: data.title)
      modelContext.insert(ticket)
      ticket.labels = try data.labels.map(label)
      made.append(ticket)
      if place % Self.batchSize == Self.batchSize - 1 {
        try modelContext.save()
        progress = Double(place) / Double(tickets.count)
      }
    }
    if modelContext.hasChanges { try modelContext.save() }
    progress = 1
    return made.map(\.persistentModelID)
  }

  private func label(_ name: String) throws -> Label {
    var descriptor = FetchDescriptor<Label>(predicate: #Predicate { $0.name == name })
    descriptor.fetchLimit = 1
    if let label = try modelContext.fetch(descriptor).first { return label }
    let label = Label(name: name)
    modelContext.insert(label)
    return label
  }

  func close(_ identifier: PersistentIdentifier) throws {
    guard let ticket = self[identifier, as: Ticket.self] else { return }
    ticket.isClosed = true
    try modelContext.save()
  }
}

// Without the macro, as libraries do it that have another initialiser.
actor TicketStore: ModelActor {
  nonisolated let modelContainer: ModelContainer
  nonisolated let modelExecutor: any ModelExecutor

  private var context: ModelContext { modelExecutor.modelContext }

  init(container: ModelContainer) {
    modelContainer = container
    let context = ModelContext(container)
    context.autosaveEnabled = false
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
  }

  func fetch<T: PersistentModel, Value: Sendable>(
    _ type: T.Type, where predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = [],
    _ transform: @Sendable (T) -> Value
  ) throws -> [Value] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy)).map(transform)
  }

  func remove<T: PersistentModel>(_ type: T.Type, where predicate: Predicate<T>? = nil) throws {
    try context.delete(model: type, where: predicate)
    try context.save()
  }
}

extension ModelActor {
  func with<Value: Sendable>(_ body: @Sendable (ModelContext) throws -> Value) rethrows -> Value {
    try body(modelContext)
  }

  func count<T: PersistentModel>(_: T.Type) throws -> Int { try modelContext.fetchCount(FetchDescriptor<T>()) }
}

/// In the style of apps that import in the background.
@Suite struct ImportersTests {
  let container: ModelContainer

  init() throws {
    container = try ModelContainer(for: Ticket.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private let data = (1...25).map { TicketData(number: $0, title: "Ticket \($0)", labels: $0 % 5 == 0 ? ["bug"] : []) }

  @Test func `An importer's models are seen by other contexts, by their identifiers`() async throws {
    let importer = TicketImporter(modelContainer: container)
    let identifiers = try await importer.importTickets(data)
    #expect(await importer.progress == 1)
    let context = ModelContext(container)
    let tickets = identifiers.compactMap { context.model(for: $0) as? Ticket }
    #expect(tickets.map(\.number) == Array(1...25))
    let bugs = FetchDescriptor<Label>(predicate: #Predicate { $0.name == "bug" })
    #expect(try context.fetch(bugs).first?.tickets?.count == 5)

    try await importer.close(identifiers[3])
    let closed = FetchDescriptor<Ticket>(predicate: #Predicate { $0.isClosed })
    #expect(try context.fetch(closed).map(\.number) == [4])
  }

  @Test func `An actor that is written by hand works as the macro's does`() async throws {
    _ = try await TicketImporter(modelContainer: container).importTickets(data)
    let store = TicketStore(container: container)
    let titles = try await store.fetch(
      Ticket.self, where: #Predicate { $0.number > 23 }, sortBy: [SortDescriptor(\.number)]
    ) { $0.title }
    #expect(titles == ["Ticket 24", "Ticket 25"])
    try await store.remove(Ticket.self, where: #Predicate { $0.number > 5 })
    #expect(try await store.count(Ticket.self) == 5)
    let names = try await store.with { try $0.fetch(FetchDescriptor<Label>()).map(\.name) }
    #expect(names == ["bug"])
  }

  @Test func `Importers that work at once lose nothing`() async throws {
    let container = container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          let data = (1...50).map { TicketData(number: part * 50 + $0, title: "\(part)") }
          _ = try await TicketImporter(modelContainer: container).importTickets(data)
        }
      }
      try await group.waitForAll()
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Ticket>()) == 200)
  }
}
