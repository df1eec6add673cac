import Foundation
import Roost
import RoostEngine
import Testing

@Model private final class Download {
  var name: String
  @Attribute(.ephemeral) var progress = 0.25
  var size: Int
  @Attribute(.ephemeral) var note: String
  @Attribute(.ephemeral) var failure: String?
  var source: Source?

  init(name: String, size: Int, note: String = "") {
    self.name = name
    self.size = size
    self.note = note
  }
}

@Model private final class Source {
  var host: String
  @Relationship(inverse: \Download.source) var downloads: [Download] = []

  init(host: String) { self.host = host }
}

@Model private final class UniqueTicket {
  var name: String
  @Attribute(.unique, .ephemeral) var code: Int

  init(name: String, code: Int) { (self.name, self.code) = (name, code) }
}

@Model private final class ListedTicket {
  #Unique<ListedTicket>([\.name, \.code])

  var name: String
  @Attribute(.ephemeral) var code: Int

  init(name: String, code: Int) { (self.name, self.code) = (name, code) }
}

@Model private final class FleetingSource {
  @Attribute(.ephemeral) var source: Source?
  init() {}
}

@Model private final class FleetingSources {
  @Attribute(.ephemeral) var sources: [Source] = []
  init() {}
}

/// Has no value that Roost could make up.
private struct Session: Codable {
  var token: String

  init(token: String) { self.token = token }

  init(from decoder: any Decoder) throws {
    token = try decoder.singleValueContainer().decode(String.self)
    if !["secret", "none"].contains(token) {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no token"))
    }
  }
}

@Model private final class Login {
  @Attribute(.ephemeral) var session: Session

  init(session: Session) { self.session = session }
}

@Model private final class OptionalLogin {
  @Attribute(.ephemeral) var session: Session?
  @Attribute(.ephemeral) var other = Session(token: "none")

  init(session: Session?) { self.session = session }
}

@Model private final class Spelled {
  @Attribute(.ephemeral) var title = ""
  var Title: String

  init(_ title: String) { Title = title }
}

@Suite struct EphemeralTests {
  private func makeContext() throws -> ModelContext {
    let memory = ModelConfiguration(isStoredInMemoryOnly: true)
    return ModelContext(try ModelContainer(for: Download.self, configurations: memory))
  }

  @Test func `a change counts, stays with the model, and is not in the store`() throws {
    let context = try makeContext()
    let download = Download(name: "a", size: 3, note: "first")
    context.insert(download)
    try context.save()
    download.progress = 0.5
    download.failure = "no network"
    #expect(download.hasChanges && context.hasChanges)
    try context.save()
    #expect(!download.hasChanges && !context.hasChanges)
    #expect(download.progress == 0.5 && download.note == "first" && download.failure == "no network")

    let stored = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Download>()).first)
    #expect(stored.name == "a" && stored.size == 3)
    #expect(stored.progress == 0.25 && stored.note == "" && stored.failure == nil)
  }

  @Test func `other properties are written beside it, and a fetch leaves it alone`() throws {
    let context = try makeContext()
    let download = Download(name: "a", size: 3)
    context.insert(download)
    try context.save()
    download.progress = 0.5
    download.size = 4
    download.source = Source(host: "example.org")
    // With the changes pending, and without.
    #expect(try context.fetch(FetchDescriptor<Download>(predicate: #Predicate { $0.size == 4 })) == [download])
    try context.save()
    _ = try context.fetch(FetchDescriptor<Download>())
    #expect(download.progress == 0.5)

    var few = FetchDescriptor<Download>()
    few.propertiesToFetch = [\.size]
    let stored = try #require(try ModelContext(context.container).fetch(few).first)
    #expect(stored.size == 4 && stored.progress == 0.25 && stored.name == "a")
    #expect(stored.source?.host == "example.org" && stored.source?.downloads.count == 1)
  }

  @Test func `a model that a relationship refers to has the default`() throws {
    let context = try makeContext()
    let download = Download(name: "a", size: 3)
    download.source = Source(host: "example.org")
    context.insert(download)
    try context.save()
    let other = ModelContext(context.container)
    let source = try #require(try other.fetch(FetchDescriptor<Source>()).first)
    #expect(source.downloads.map(\.progress) == [0.25])
    source.downloads.first?.progress = 1
    #expect(source.downloads.map(\.progress) == [1] && other.hasChanges)
  }

  @Test func `rollback brings the default back`() throws {
    let context = try makeContext()
    let download = Download(name: "a", size: 3)
    context.insert(download)
    try context.save()
    download.progress = 0.5
    context.rollback()
    #expect(download.progress == 0.25 && download.name == "a" && !context.hasChanges)
  }

  @Test func `a query cannot ask for it`() throws {
    let context = try makeContext()
    let matching = FetchDescriptor<Download>(predicate: #Predicate { $0.progress > 0.5 })
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(matching) }
    #expect(error == .unsupportedKeyPath && error?.message.contains("`$0.progress` is `.ephemeral`") ?? false)
    let sorted = FetchDescriptor<Download>(sortBy: [SortDescriptor(\.progress)])
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(sorted) }
    var selected = FetchDescriptor<Download>()
    selected.propertiesToFetch = [\.progress]
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(selected) }
  }

  @Test func `it cannot be unique`() {
    for type in [UniqueTicket.self, ListedTicket.self] as [any PersistentModel.Type] {
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(for: Schema([type]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
      }
      #expect(error == .invalidSchema && error?.model == "\(type)")
    }
  }

  @Test func `a relationship cannot be`() {
    for type in [FleetingSource.self, FleetingSources.self] as [any PersistentModel.Type] {
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(for: Schema([type]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
      }
      #expect(error == .invalidSchema && error?.model == "\(type)" && error?.message.contains(".ephemeral") ?? false)
    }
  }

  @Test func `a type without an empty value needs a default or to be optional`() throws {
    let memory = ModelConfiguration(isStoredInMemoryOnly: true)
    let error = #expect(throws: SwiftDataError.self) { try ModelContainer(for: Login.self, configurations: memory) }
    #expect(error == .invalidSchema && error?.property == "session")

    let context = ModelContext(try ModelContainer(for: OptionalLogin.self, configurations: memory))
    context.insert(OptionalLogin(session: Session(token: "secret")))
    try context.save()
    let login = try #require(try ModelContext(context.container).fetch(FetchDescriptor<OptionalLogin>()).first)
    #expect(login.session == nil && login.other.token == "none")
  }

  @Test func `it takes no column's name`() throws {
    let folder = try TemporaryFolder()
    let context = ModelContext(
      try ModelContainer(for: Spelled.self, configurations: ModelConfiguration(url: folder.store)))
    context.insert(Spelled("A"))
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path), mode: .readOnly))
    let statement = try connection.statement("SELECT group_concat(name) FROM pragma_table_info('Spelled')")
    defer { statement.reset() }
    #expect(try statement.step() && statement.storedString(0) == "_pk,Title")
  }
}
