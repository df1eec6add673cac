import Foundation
import Observation
import Roost

struct SharedMismatch: Error { let message: String }

/// Runs a program: several contexts, a draft and another program use one store.
final class SharedWalk {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  /// As if another process had it.
  private let elsewhere: ModelContainer
  private let users: [SharedUser]
  private var number = 0
  private(set) var saves = 0
  private(set) var refusals = 0
  private(set) var staleSaves = 0

  init() throws {
    folder = try TemporaryFolder()
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.durability = .none
    container = try ModelContainer(for: SharedFolder.self, configurations: configuration)
    elsewhere = try ModelContainer(for: SharedFolder.self, configurations: configuration)
    users = [
      SharedUser(.plain, container), SharedUser(.plain, container), SharedUser(.undoing, container),
      SharedUser(.drafting, container), SharedUser(.elsewhere, elsewhere),
    ]
    try fill()
  }

  /// Everybody begins with the same rows, and has read all lists.
  private func fill() throws {
    let context = ModelContext(container)
    let folders = (0..<7).map { SharedFolder(name: "\($0)", number: next()) }
    context.insert(contentsOf: folders)
    for (child, parent) in [(1, 0), (2, 0), (3, 1), (4, 1), (5, 3)] { folders[child].parent = folders[parent] }
    for place in 0..<4 {
      let (file, badge) = (SharedFile(name: "\(place)", number: next()), SharedBadge(name: "\(place)", number: next()))
      context.insert(file)
      context.insert(badge)
      file.folder = folders[place + 1]
      folders[place + 2].cover = file
      badge.holder = folders[place]
    }
    for place in 0..<3 {
      let (tag, lock) = (SharedTag(name: "\(place)", number: next()), SharedLock(name: "\(place)", number: next()))
      tag.folders = [folders[place], folders[place + 1]]
      context.insert(lock)
      lock.folder = folders[place * 2]
    }
    try context.save()
    for user in users {
      try user.fetch()
      _ = try SharedState(user.context)
    }
  }

  private func next() -> Int {
    number += 1
    return number
  }

  private func stored() throws -> SharedState { try SharedState(ModelContext(container)) }

  // MARK: - Steps

  func run(_ step: SharedStep) throws {
    let user = users[step.context % users.count]
    let (a, b) = (step.a, step.b)
    switch step.kind {
    case .insertFolder, .insertUnder, .insertMany, .insertFile, .insertBadge, .insertTag, .insertLock, .insertAgain:
      try insert(step.kind, user, a, b)
    case .rename: rename(user, a, b)
    case .setParent, .setCover, .setBadge, .setHolder, .setFolder, .setLock: setOne(step.kind, user, a, b)
    case .appendChild, .removeChild, .assignChildren, .assignFiles, .assignTags, .assignFolders, .assignLocks:
      setMany(step.kind, user, a, b)
    case .setValue:
      guard let file = user.file(a) else { return }
      user.intent.renamed.insert(file.persistentModelID)
      file.setValue(forKey: \.number, to: next())
    case .applySnapshot: try applySnapshot(user, a, b)
    case .insertSnapshot:
      guard let lock = user.lock(a) else { return }
      let snapshot = lock.snapshot()
      guard let copy = try? user.context.insert(snapshot) else { return }
      copy.number = next()
      user.add(copy)
    case .delete: delete(user, a)
    case .deleteWhere: try deleteWhere(user, a)
    case .save: try save(user, isFresh: false)
    case .saveFresh: try save(user, isFresh: true)
    case .transaction:
      rename(user, a, b)
      try save(user, isFresh: false) { try $0.transaction { self.rename(user, a, b) } }
    case .rollback: rollback(user)
    case .fetch: try user.fetch()
    case .drop: user.drop()
    case .observeAndSave, .observeAndRollBack: observe(user, a, b, savesThen: step.kind == .observeAndSave)
    case .undo, .redo, .group: undo(step.kind, user)
    case .draftSave:
      guard user.parent != nil else { return }
      user.intent.isUnknown = true
      _ = try? user.context.save()
    case .update, .executeSQL, .withDatabase, .elsewhereMove, .elsewhereInsert, .elsewhereDelete, .elsewhereSave:
      try writeAtOnce(step.kind, user, a, b)
    }
    try check(users[(step.a + step.b) % users.count])
  }

  private func insert(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) throws {
    let models: [any PersistentModel]
    switch kind {
    case .insertFolder: models = [SharedFolder(name: "\(a % 9)", number: next())]
    case .insertUnder: models = [SharedFolder(name: "\(a % 9)", number: next(), parent: user.folder(b))]
    case .insertMany:
      let folders = (0..<3).map { SharedFolder(name: "\((a + $0 * b) % 12)", number: next()) }
      user.context.insert(contentsOf: folders)
      folders.forEach { user.add($0) }
      return
    case .insertFile: models = [SharedFile(name: "\(a % 5)", number: next())]
    case .insertBadge: models = [SharedBadge(name: "\(a)", number: next())]
    case .insertTag: models = [SharedTag(name: "\(a % 4)", number: next())]
    case .insertLock: models = [SharedLock(name: "\(a)", number: next())]
    default:
      guard let model = user.deleted(a) else { return }
      // Those that went with it stay deleted, as if the program had deleted each.
      let others = user.context.deletedModelsArray.filter { $0 !== model }
      user.intent.deleted.formUnion(others.map(\.persistentModelID))
      user.intent.deleted.remove(model.persistentModelID)
      if let folder = model as? SharedFolder { user.intent.set(folder, "parent", to: nil) }
      models = [model]
    }
    for model in models {
      user.context.insert(model)
      user.add(model)
    }
    if let folder = models.first as? SharedFolder, let file = user.file(b), kind == .insertUnder {
      user.intent.set(folder, "cover", to: file)
      folder.cover = file
    }
  }

  private func rename(_ user: SharedUser, _ a: Int, _ b: Int) {
    guard let model = user.any(a) else { return }
    user.intent.renamed.insert(model.persistentModelID)
    switch model {
    case let model as SharedFolder: model.name = b % 3 == 0 ? "\(b % 9)" : "own \(next())"
    case let model as SharedBadge: model.name = "\(b)"
    case let model as SharedFile: model.name = b % 3 == 0 ? "\(b % 5)" : "own \(next())"
    case let model as SharedTag: model.name = "own \(next())"
    case let model as SharedLock: model.name = "\(b)"
    default: break
    }
  }

  private func setOne(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) {
    let isNil = b % 4 == 0
    switch kind {
    case .setParent:
      guard let folder = user.folder(a), let parent = user.folder(b / 4), !leads(parent, to: folder) else { return }
      user.intent.set(folder, "parent", to: isNil ? nil : parent)
      folder.parent = isNil ? nil : parent
    case .setCover:
      guard let folder = user.folder(a), let file = user.file(b / 4) else { return }
      user.intent.set(folder, "cover", to: isNil ? nil : file)
      folder.cover = isNil ? nil : file
    case .setBadge:
      guard let folder = user.folder(a), let badge = user.badge(b / 4) else { return }
      pair(user, folder, isNil ? nil : badge)
      folder.badge = isNil ? nil : badge
    case .setHolder:
      guard let badge = user.badge(a), let folder = user.folder(b / 4) else { return }
      if isNil {
        user.intent.set(badge, "holder", to: nil)
        if let holder = badge.holder { user.intent.leave(holder, "badge", badge) }
      } else {
        pair(user, folder, badge)
      }
      badge.holder = isNil ? nil : folder
    case .setFolder:
      guard let file = user.file(a), let folder = user.folder(b / 4) else { return }
      user.intent.set(file, "folder", to: isNil ? nil : folder)
      file.folder = isNil ? nil : folder
    default:
      guard let lock = user.lock(a), let folder = user.folder(b / 4) else { return }
      user.intent.set(lock, "folder", to: isNil ? nil : folder)
      lock.folder = isNil ? nil : folder
    }
  }

  private func pair(_ user: SharedUser, _ folder: SharedFolder, _ badge: SharedBadge?) {
    user.intent.set(folder, "badge", to: badge)
    if let former = folder.badge, former !== badge { user.intent.leave(former, "holder", folder) }
    guard let badge else { return }
    user.intent.set(badge, "holder", to: folder)
    if let former = badge.holder, former !== folder { user.intent.leave(former, "badge", badge) }
  }

  /// Whether a folder is in another, so that the other must not be put into it.
  private func leads(_ folder: SharedFolder, to other: SharedFolder) -> Bool {
    var next: SharedFolder? = folder
    for _ in 0..<100 {
      guard let here = next else { return false }
      if here === other { return true }
      next = here.parent
    }
    return true
  }

  private func setMany(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) {
    guard let folder = user.folder(a) else { return }
    switch kind {
    case .appendChild:
      guard let child = user.folder(b), !leads(folder, to: child) else { return }
      let old = folder.children
      user.intent.assign(folder, "parent", from: old, to: old + [child])
      folder.children.append(child)
    case .removeChild:
      let old = folder.children
      guard !old.isEmpty else { return }
      user.intent.leave(old[b % old.count], "parent", folder)
      folder.children.remove(at: b % old.count)
    case .assignChildren:
      let new = [user.folder(b), user.folder(b / 7)].compactMap { $0 }.filter { !leads(folder, to: $0) }
      user.intent.assign(folder, "parent", from: folder.children, to: new)
      folder.children = new
    case .assignFiles:
      let new = b % 4 == 0 ? [] : [user.file(b), user.file(b / 3)].compactMap { $0 }
      user.intent.assign(folder, "folder", from: folder.files, to: new)
      folder.files = new
    case .assignLocks:
      let new = b % 4 == 0 ? [] : [user.lock(b)].compactMap { $0 }
      user.intent.assign(folder, "folder", from: folder.locks, to: new)
      folder.locks = new
    case .assignTags:
      let new = b % 4 == 0 ? [] : [user.tag(b), user.tag(b / 3)].compactMap { $0 }
      user.intent.tagged.insert(folder.persistentModelID)
      folder.tags = new
    default:
      guard let tag = user.tag(b) else { return }
      user.intent.tagged.insert(tag.persistentModelID)
      tag.folders = b % 4 == 0 ? [] : [folder]
    }
  }

  private func applySnapshot(_ user: SharedUser, _ a: Int, _ b: Int) throws {
    guard let file = user.file(a), let folder = user.folder(b) else { return }
    var snapshot = file.snapshot()
    snapshot.number = next()
    snapshot.folder = folder.persistentModelID
    user.intent.renamed.insert(file.persistentModelID)
    user.intent.set(file, "folder", to: folder)
    // A folder that somebody has deleted meanwhile is refused.
    _ = try? file.apply(snapshot)
  }

  private func delete(_ user: SharedUser, _ a: Int) {
    guard let model = user.any(a) else { return }
    user.intent.deleted.insert(model.persistentModelID)
    user.context.delete(model)
  }

  private func deleteWhere(_ user: SharedUser, _ a: Int) throws {
    let name = "\(a % 9)"
    let predicate = #Predicate<SharedFolder> { $0.name == name }
    user.intent.deleted.formUnion(try user.context.fetchIdentifiers(FetchDescriptor(predicate: predicate)))
    try user.context.delete(model: SharedFolder.self, where: predicate)
  }

  private func undo(_ kind: SharedStep.Kind, _ user: SharedUser) {
    guard let manager = user.context.undoManager else { return }
    user.intent.isUnknown = true
    switch kind {
    case .undo: manager.undo()
    case .redo: manager.redo()
    default: user.context.processPendingChanges()
    }
  }

  private func observe(_ user: SharedUser, _ a: Int, _ b: Int, savesThen: Bool) {
    guard let folder = user.folder(a), let parent = user.folder(b), !leads(parent, to: folder) else { return }
    // SAFETY: the observer is told on this thread, in the midst of the edit below.
    nonisolated(unsafe) let context = user.context
    withObservationTracking {
      _ = (folder.name, folder.parent, parent.children.count)
    } onChange: {
      if savesThen { _ = try? context.save() } else { context.rollback() }
    }
    user.intent.set(folder, "parent", to: parent)
    user.intent.isUnknown = true
    if b % 2 == 0 { folder.parent = parent } else { folder.name = "own \(next())" }
  }

  private func rollback(_ user: SharedUser) {
    user.context.rollback()
    user.parent?.rollback()
    user.intent = SharedIntent()
  }

  // MARK: - Saving

  private func save(
    _ user: SharedUser, isFresh: Bool, _ body: (ModelContext) throws -> Void = { try $0.save() }
  ) throws {
    let before = try stored()
    let shown = isFresh ? try SharedState(user.context) : nil
    let rule = SharedRule(user.intent, user.context, before: before)
    let isKnown = !user.intent.isUnknown && user.role != .undoing && user.role != .drafting
    do {
      try body(user.context)
      try user.parent?.save()
    } catch is SwiftDataError {
      refusals += 1
      let after = try stored()
      if after != before { throw SharedMismatch(message: "a refused save wrote") }
      if !user.hasChanges { throw SharedMismatch(message: "a refused save has no changes left") }
      return rollback(user)
    }
    user.intent = SharedIntent()
    saves += 1
    if !isFresh { staleSaves += 1 }
    let after = try stored()
    if isKnown, let violation = rule.violation(after) { throw SharedMismatch(message: "a save: \(violation)") }
    // A new model that updates a row is not what the context showed.
    let names = shown?.rows.values.filter { $0.kind != "lock" }.map { "\($0.kind) \($0.name)" } ?? []
    if let shown, user.parent == nil, Set(names).count == names.count, let difference = after.difference(from: shown) {
      throw SharedMismatch(message: "stored is not what was shown: \(difference)")
    }
    try check(user)
  }

  // MARK: - Writing at once

  private func writeAtOnce(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) throws {
    switch kind {
    case .update:
      guard user.parent == nil else { return }
      user.intent.isUnknown = true
      _ = try? user.context.update(
        model: SharedFile.self, where: #Predicate { $0.number % 2 == 0 },
        set: a % 3 == 0 ? .set(\.folder, to: nil) : .set(\.folder, to: user.folder(b)))
    case .executeSQL:
      guard user.parent == nil else { return }
      _ = try? user.context.execute(
        sql: """
          UPDATE SharedFile SET folder = (SELECT _pk FROM SharedFolder ORDER BY number LIMIT 1 OFFSET \(b % 5)) \
          WHERE number % 3 = \(a % 3)
          """)
    case .withDatabase: try move(container, a, b)
    case .elsewhereMove: try move(elsewhere, a, b)
    case .elsewhereInsert:
      let number = next()
      _ = try elsewhere.withDatabase { database in
        try database.execute(
          sql: """
            INSERT OR IGNORE INTO SharedFolder (name, number, parent) VALUES (\("\(a % 9)"), \(number), \
            (SELECT _pk FROM SharedFolder ORDER BY number LIMIT 1 OFFSET \(b % 9)))
            """)
      }
    case .elsewhereDelete:
      _ = try? elsewhere.withDatabase { database in
        try database.execute(
          sql: "DELETE FROM SharedFolder WHERE _pk = (SELECT _pk FROM SharedFolder LIMIT 1 OFFSET \(a % 12))")
      }
    default:
      let context = ModelContext(elsewhere)
      let folders = try context.fetch(FetchDescriptor<SharedFolder>(sortBy: [SortDescriptor(\.number)]))
      guard !folders.isEmpty else { return }
      let (folder, other) = (folders[a % folders.count], folders[b % folders.count])
      if !leads(other, to: folder) { folder.parent = other }
      folder.files = Array(folder.files.dropFirst())
      try context.save()
    }
  }

  /// Moves a folder, to the top or into one without a parent, so that no circle comes of it.
  private func move(_ container: ModelContainer, _ a: Int, _ b: Int) throws {
    _ = try container.withDatabase { database in
      try database.execute(
        sql: """
          UPDATE SharedFolder SET parent = (SELECT other._pk FROM SharedFolder other WHERE other.parent IS NULL \
          AND other._pk <> SharedFolder._pk ORDER BY number LIMIT 1 OFFSET \(b % 7)) \
          WHERE _pk = (SELECT _pk FROM SharedFolder ORDER BY number LIMIT 1 OFFSET \(a % 12)) \
          AND NOT (parent IS NULL AND EXISTS (SELECT 1 FROM SharedFolder child WHERE child.parent = SharedFolder._pk))
          """)
    }
  }

  // MARK: - Checking

  /// A context that fetches shows what a fresh one does, and its own changes without contradiction.
  private func check(_ user: SharedUser) throws {
    let hadChanges = user.hasChanges
    let shown = try SharedState(user.context)
    let stored = try stored()
    if let contradiction = shown.contradiction(stored: stored) {
      throw SharedMismatch(message: "\(user.role) shown: \(contradiction)")
    }
    if user.hasChanges && !hadChanges { throw SharedMismatch(message: "a fetch made changes") }
    if user.hasChanges || shown == stored { return }
    let difference = shown.difference(from: stored) ?? "identifiers"
    throw SharedMismatch(message: "\(user.role) shown is not what is stored: \(difference)")
  }

  func checkAll() throws {
    for user in users { try check(user) }
    let violations = try container.withDatabase(.readOnly) { database in
      try database.rows(sql: "SELECT count(*) FROM pragma_foreign_key_check", as: Int.self)
    }
    if violations != [0] { throw SharedMismatch(message: "foreign keys are violated") }
  }
}
