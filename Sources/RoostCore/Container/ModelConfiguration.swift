public import Foundation

/// Where a container keeps its models, and how.
///
/// ```swift
/// let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration("notes"))
/// ```
/// Source: SwiftData's `ModelConfiguration`.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
  /// The store's file. In memory, a URL that no other configuration has and no file stands for.
  public let url: URL
  /// The configuration's name; "default" when none was given.
  public let name: String
  /// The app group whose container was asked for by name. Kept, but of no effect off Apple platforms.
  public let groupAppContainerIdentifier: String?
  /// The database at a server that was asked for by name.
  public let cloudKitContainerIdentifier: String?
  /// The app group setting. Kept, but of no effect off Apple platforms.
  public let groupContainer: GroupContainer
  /// Which of the user's databases at a server the store is synced with, with `RoostSync`.
  public let cloudKitDatabase: CloudKitDatabase
  /// The models kept in this store; nil stands for all models of the container.
  public var schema: Schema?
  /// False for a store that may only be read.
  public let allowsSave: Bool
  /// Whether the models are gone with the container.
  public let isStoredInMemoryOnly: Bool

  /// What the store's files are encrypted with; nil for files that everybody can read.
  public var encryption: Encryption?
  /// How the store's connections behave. Set it before the container is made.
  public var storeOptions = StoreOptions()
  /// What is to work beside the store.
  package var companion: CompanionSetup?

  /// Two configurations are the same store when they have the same URL.
  public var id: URL { url }

  /// Makes the default configuration: all models of the container, in ``defaultURL(named:)`` or in memory.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Makes a configuration for some model types, and those that they refer to.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Makes a configuration for a store at its default place.
  ///
  /// - Parameters:
  ///   - name: the configuration's name, and the file's without ".store"; "default" when nil.
  ///   - schema: the models kept in this store; nil for all models of the container.
  ///   - isStoredInMemoryOnly: true for models that are gone with the container.
  ///   - allowsSave: false for a store that may only be read.
  ///   - groupContainer: kept, but of no effect off Apple platforms.
  ///   - cloudKitDatabase: which of the user's databases at a server, with RoostSync.
  ///   - encryption: what the files are encrypted with, with the trait `Encryption`; nil for plain files.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
    groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic,
    encryption: Encryption? = nil
  ) {
    let name = name ?? Self.defaultName
    self.init(
      name: name, schema: schema,
      url: isStoredInMemoryOnly ? Self.inMemoryURL() : Self.defaultURL(named: name, in: groupContainer),
      allowsSave: allowsSave, isStoredInMemoryOnly: isStoredInMemoryOnly, groupContainer: groupContainer,
      cloudKitDatabase: cloudKitDatabase, encryption: encryption)
  }

  /// Makes a configuration for a store in a file of your choice.
  ///
  /// - Parameters:
  ///   - name: the configuration's name; "default" when nil.
  ///   - schema: the models kept in this store; nil for all models of the container.
  ///   - url: the store's file, which need not exist yet.
  ///   - allowsSave: false for a store that may only be read.
  ///   - cloudKitDatabase: which of the user's databases at a server, with RoostSync.
  ///   - encryption: what the files are encrypted with, with the trait `Encryption`; nil for plain files.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic, encryption: Encryption? = nil
  ) {
    self.init(
      name: name ?? Self.defaultName, schema: schema, url: url, allowsSave: allowsSave, isStoredInMemoryOnly: false,
      groupContainer: .none, cloudKitDatabase: cloudKitDatabase, encryption: encryption)
  }

  private init(
    name: String, schema: Schema?, url: URL, allowsSave: Bool, isStoredInMemoryOnly: Bool,
    groupContainer: GroupContainer, cloudKitDatabase: CloudKitDatabase, encryption: Encryption?
  ) {
    self.name = name
    self.schema = schema
    self.url = url
    self.allowsSave = allowsSave
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.groupContainer = groupContainer
    self.cloudKitDatabase = cloudKitDatabase
    self.encryption = encryption
    groupAppContainerIdentifier = groupContainer.identifier
    cloudKitContainerIdentifier = cloudKitDatabase.identifier
  }

  static var defaultName: String { "default" }
}

extension ModelConfiguration: CustomDebugStringConvertible {
  /// The name, the place and what differs from the defaults.
  public var debugDescription: String {
    var text = "ModelConfiguration(\"\(name)\", "
    text += isStoredInMemoryOnly ? "in memory" : "url: \(url.isFileURL ? url.path : url.absoluteString)"
    if !allowsSave { text += ", read-only" }
    if encryption != nil { text += ", encrypted" }
    if let schema { text += ", schema: \(schema.entities.map(\.name).joined(separator: ", "))" }
    return text + ")"
  }
}
