import Foundation
import Roost

@Model final class Band {
  @Attribute(.preserveValueOnDeletion) var name: String
  @Attribute(.preserveValueOnDeletion) var founded: Date?
  var size = 1
  @Relationship(deleteRule: .cascade, inverse: \Record.band) var records: [Record] = []
  @Relationship(inverse: \Fan.bands) var fans: [Fan] = []

  init(name: String, founded: Date? = nil) { (self.name, self.founded) = (name, founded) }
}

@Model final class Record {
  var title: String
  var band: Band?

  init(title: String, band: Band? = nil) { (self.title, self.band) = (title, band) }
}

@Model final class Fan {
  var name: String
  var bands: [Band] = []

  init(name: String) { self.name = name }
}

@Model class Guild {
  var name: String
  @Relationship(inverse: \Apprentice.guilds) var apprentices: [Apprentice] = []

  init(name: String) { self.name = name }
}

@available(macOS 26, iOS 26, *)
@Model final class CraftGuild: Guild {
  var craft: String

  init(name: String, craft: String) {
    self.craft = craft
    super.init(name: name)
  }
}

@Model final class Apprentice {
  var name: String
  var guilds: [Guild] = []

  init(name: String) { self.name = name }
}

/// A store with history, in a folder of its own.
final class HistoryFixture {
  let folder: TemporaryFolder
  let container: ModelContainer
  let context: ModelContext

  init(_ history: ModelConfiguration.HistoryOptions = .init(), inMemory: Bool = false) throws {
    folder = try TemporaryFolder()
    var configuration =
      inMemory ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: folder.store)
    configuration.storeOptions.history = history
    container = try ModelContainer(for: Band.self, Record.self, Fan.self, configurations: configuration)
    context = ModelContext(container)
  }

  var transactions: [DefaultHistoryTransaction] { get throws { try context.fetchHistory(HistoryDescriptor()) } }

  /// Each transaction's changes as words, such as "insert Band", "update Band name" and "delete Band Abba".
  var words: [[String]] { get throws { try transactions.map { $0.changes.map(Self.word) } } }

  static func word(_ change: HistoryChange) -> String {
    let name = change.changedPersistentIdentifier.entityName
    switch change {
    case .insert: return "insert \(name)"
    case .update(let update): return "update \(name) \(names(update))"
    case .delete(let delete): return "delete \(name)\(kept(delete))"
    }
  }

  private static func name(_ path: AnyKeyPath) -> String {
    let names: [AnyKeyPath: String] = [
      \Band.name: "name", \Band.founded: "founded", \Band.size: "size", \Band.fans: "fans", \Band.records: "records",
      \Record.title: "title",
      \Record.band: "band", \Fan.name: "name", \Fan.bands: "bands",
    ]
    return names[path] ?? "?"
  }

  private static func names(_ update: some HistoryUpdate) -> String {
    update.updatedAttributes.map { name($0 as AnyKeyPath) }.joined(separator: ",")
  }

  private static func kept(_ delete: some HistoryDelete) -> String { delete.tombstone.map { " \($0)" }.joined() }
}
