import Foundation
import Observation
import Roost

struct SharedMismatch: Error { let message: String }

/// Runs a program: several contexts, a draft and another program use one store.
final class SharedWalk {
  private let folder: TemporaryFolder
  var file: URL { folder.store }
  let container: ModelContainer
  /// As if another process had it.
  let elsewhere: ModelContainer
  let users: [SharedUser]
  private var number = 0
  /// The rows that there were when history began.
  var former: Set<PersistentIdentifier> = []
  var saves = 0
  var refusals = 0
  var staleSaves = 0

  init() throws {
    folder = try TemporaryFolder()
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.durability = .none
    configuration.storeOptions.history = .on
    // Who looks notices by itself. Between noticing and telling a poll would have what is
    // known be behind what is fetched.
    configuration.storeOptions.pollingInterval = .zero
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
      folders[place + 1].attached = [file]
    }
    for place in 0..<3 {
      context.insert(SharedPage(name: "\(place)", number: next(), folder: folders[place + 1]))
      let (tag, lock) = (SharedTag(name: "\(place)", number: next()), SharedLock(name: "\(place)", number: next()))
      tag.folders = [folders[place], folders[place + 1]]
      folders[place + 4].pins = [tag]
      context.insert(lock)
      lock.folder = folders[place * 2]
    }
    try context.save()
    for user in users {
      try user.fetch()
      _ = try SharedState(user.context)
    }
  }

  func next() -> Int {
    number += 1
    return number
  }

  func stored() throws -> SharedState { try SharedState(ModelContext(container)) }

  // MARK: - Steps

  /// `isChecked`: whether somebody looks afterwards, and finds what there should be.
  func run(_ step: SharedStep, isChecked: Bool = true) throws {
    let user = users[step.context % users.count]
    let (a, b) = (step.a, step.b)
    switch step.kind {
    case .insertFolder, .insertUnder, .insertMany, .insertFile, .insertBadge, .insertTag, .insertLock, .insertPage,
      .insertAgain, .insertSnapshot, .insertBacking:
      insert(step.kind, user, a, b)
    case .rename: rename(user, a, b)
    case .setValue, .setTransformableValue, .setBackingData, .adoptBackingData, .mutate, .enumerate, .applySnapshot,
      .renameByIdentifier:
      try setValue(step.kind, user, a, b)
    case .setParent, .setCover, .setBadge, .setHolder, .setFolder, .setLock, .setPage, .setFolderValue, .setPageValue,
      .setLockByIdentifier:
      try setOne(step.kind, user, a, b)
    case .appendChild, .removeChild, .assignChildren, .assignFiles, .assignTags, .assignFolders, .assignLocks,
      .setFilesValue, .appendPage, .assignAttached, .removeAttached, .assignPins:
      setMany(step.kind, user, a, b)
    case .delete, .deleteWhere, .deleteByIdentifier: try delete(step.kind, user, a)
    case .save: try save(user, isFresh: false)
    case .saveFresh: try save(user, isFresh: true)
    case .transaction:
      rename(user, a, b)
      try save(user, isFresh: false) { try $0.transaction { self.rename(user, a, b) } }
    case .rollback: rollback(user)
    case .fetch: try user.fetch()
    case .drop: user.drop()
    case .observeAndSave, .observeAndRollBack: observe(user, a, b, savesThen: step.kind == .observeAndSave)
    case .undo, .redo, .group, .ownGroup, .undoNested, .withoutUndo, .forgetUndo, .limitUndo, .replaceUndo:
      undo(step.kind, user, a, b)
    case .draftSave, .parentEdit, .parentSave: try changeParent(step.kind, user, a, b)
    case .update, .executeSQL, .withDatabase, .rowsReturning, .erase, .elsewhereMove, .elsewhereInsert,
      .elsewhereDelete, .elsewhereSave:
      try writeAtOnce(step.kind, user, a, b)
    case .forgetHistory: try forgetHistory()
    }
    if !isChecked { return }
    let looker = users[(step.a + step.b) % users.count]
    try checkHeld(looker)
    try check(looker)
  }

  // MARK: - Checking

  /// A context that fetches shows what a fresh one does, and its own changes without contradiction.
  func check(_ user: SharedUser) throws {
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
    try checkHistory()
    let violations = try container.withDatabase(.readOnly) { database in
      try database.rows(sql: "SELECT count(*) FROM pragma_foreign_key_check", as: Int.self)
    }
    if violations != [0] { throw SharedMismatch(message: "foreign keys are violated") }
  }
}
