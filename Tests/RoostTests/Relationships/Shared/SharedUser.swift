import Foundation
import Observation
import Roost

/// A context, and what a program that uses it knows: the models that it has met, and what it has asked for since the
/// last save.
final class SharedUser {
  enum Role { case plain, undoing, drafting, elsewhere }

  let role: Role
  private(set) var context: ModelContext
  let parent: ModelContext?
  private(set) var folders: [SharedFolder] = []
  private(set) var badges: [SharedBadge] = []
  private(set) var files: [SharedFile] = []
  private(set) var tags: [SharedTag] = []
  private(set) var locks: [SharedLock] = []
  private(set) var pages: [SharedPage] = []
  /// What the next save may change.
  var intent = SharedIntent()

  init(_ role: Role, _ container: ModelContainer) {
    self.role = role
    parent = role == .drafting ? ModelContext(container) : nil
    context = parent.map { ModelContext(draftOf: $0) } ?? ModelContext(container)
    if role == .undoing { context.undoManager = UndoManager() }
  }

  var hasChanges: Bool { context.hasChanges || parent?.hasChanges ?? false }

  /// Goes on with a new context; what was not saved is gone.
  func drop() {
    (folders, badges, files, tags, locks, pages) = ([], [], [], [], [], [])
    // What a draft has saved its parent still has.
    context = parent.map { ModelContext(draftOf: $0) } ?? ModelContext(context.container)
    if role == .undoing { context.undoManager = UndoManager() }
    if parent == nil { intent = SharedIntent() }
  }

  /// Meets all models that the context can fetch, and forgets those that are gone.
  func fetch() throws {
    let order = [SortDescriptor(\SharedFolder.number)]
    folders = try context.fetch(FetchDescriptor(sortBy: order))
    badges = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.number)]))
    files = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.number)]))
    tags = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.number)]))
    locks = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.number)]))
    pages = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.number)]))
  }

  func add(_ model: any PersistentModel) {
    switch model {
    case let model as SharedFolder: folders.append(model)
    case let model as SharedBadge: badges.append(model)
    case let model as SharedFile: files.append(model)
    case let model as SharedTag: tags.append(model)
    case let model as SharedLock: locks.append(model)
    case let model as SharedPage: pages.append(model)
    default: break
    }
  }

  /// All models that it has met.
  var held: [any PersistentModel] {
    var models: [any PersistentModel] = folders
    models += badges as [any PersistentModel]
    models += files as [any PersistentModel]
    models += tags as [any PersistentModel]
    models += locks as [any PersistentModel]
    return models + (pages as [any PersistentModel])
  }

  private func pick<Model: PersistentModel>(_ models: [Model], _ number: Int) -> Model? {
    let usable = models.filter { $0.modelContext === context && !$0.isDeleted }
    return usable.isEmpty ? nil : usable[number % usable.count]
  }

  func folder(_ number: Int) -> SharedFolder? { pick(folders, number) }
  func badge(_ number: Int) -> SharedBadge? { pick(badges, number) }
  func file(_ number: Int) -> SharedFile? { pick(files, number) }
  func tag(_ number: Int) -> SharedTag? { pick(tags, number) }
  func lock(_ number: Int) -> SharedLock? { pick(locks, number) }
  func page(_ number: Int) -> SharedPage? { pick(pages, number) }

  func any(_ number: Int) -> (any PersistentModel)? {
    switch number % 9 {
    case 0: badge(number / 9)
    case 1: file(number / 9)
    case 2: tag(number / 9)
    case 3: lock(number / 9)
    case 4: page(number / 9)
    default: folder(number / 9)
    }
  }

  /// A model that is to be deleted.
  func deleted(_ number: Int) -> (any PersistentModel)? {
    let models = context.deletedModelsArray
    return models.isEmpty ? nil : models[number % models.count]
  }
}

/// What a program has asked for, as rows and properties: what a save may change follows from it and from the rows.
struct SharedIntent {
  struct Place: Hashable {
    let row: PersistentIdentifier
    let property: String
  }

  /// What to-one relationships were set to.
  var set: [Place: PersistentIdentifier?] = [:]
  /// Whom they were to leave, by an edit of a list or of a one-to-one relationship.
  var left: [Place: Set<PersistentIdentifier>] = [:]
  var renamed: Set<PersistentIdentifier> = []
  var deleted: Set<PersistentIdentifier> = []
  /// The rows whose links in join tables were set.
  var linked: Set<PersistentIdentifier> = []
  /// The files that folders were given, to go with them.
  var attached: [PersistentIdentifier: Set<PersistentIdentifier>] = [:]
  /// Whether something happened that this does not follow, such as an undo.
  var isUnknown = false

  mutating func set(_ row: any PersistentModel, _ property: String, to target: (any PersistentModel)?) {
    set[Place(row: row.persistentModelID, property: property)] = .some(target?.persistentModelID)
  }

  mutating func leave(_ row: any PersistentModel, _ property: String, _ owner: any PersistentModel) {
    left[Place(row: row.persistentModelID, property: property), default: []].insert(owner.persistentModelID)
  }

  /// A list is assigned whose members refer to their owner by a property.
  mutating func assign<Model: PersistentModel>(
    _ owner: any PersistentModel, _ property: String, from old: [Model], to new: [Model]
  ) {
    for member in old where !new.contains(member) { leave(member, property, owner) }
    for member in new where !old.contains(member) { set(member, property, to: owner) }
  }
}
