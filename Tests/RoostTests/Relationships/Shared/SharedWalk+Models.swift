import Foundation
import Roost

// New models, values and deletions.
extension SharedWalk {
  func insert(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) {
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
    case .insertPage:
      guard let folder = user.folder(b) else { return }
      let page = SharedPage(name: "\(a)", number: next(), folder: folder)
      user.context.insert(page)
      user.intent.set(page, "folder", to: folder)
      return user.add(page)
    case .insertBacking:
      let file = SharedFile(backingData: SharedFile.createBackingData())
      (file.name, file.number) = ("\(a % 5)", next())
      models = [file]
    case .insertSnapshot:
      guard let copy = user.lock(a).flatMap({ try? user.context.insert($0.snapshot()) }) else { return }
      copy.number = next()
      return user.add(copy)
    case .insertLock: models = [SharedLock(name: "\(a)", number: next())]
    default:
      guard let model = user.deleted(a) else { return }
      // Those that went with it stay deleted, as if the program had deleted each.
      let others = user.context.deletedModelsArray.filter { $0 !== model }
      user.intent.deleted.formUnion(others.map(\.persistentModelID))
      user.intent.deleted.remove(model.persistentModelID)
      if let folder = model as? SharedFolder { user.intent.set(folder, "parent", to: nil) }
      giveUpCovers(of: [model] + others, for: model, user)
      models = [model]
    }
    for model in models {
      user.context.insert(model)
      user.add(model)
    }
    if let folder = models.first as? SharedFolder, let file = user.file(b), kind == .insertUnder {
      user.intent.set(folder, "parent", to: folder.parent)
      user.intent.set(folder, "cover", to: file)
      folder.cover = file
    }
  }

  /// A link between a model that is inserted again and one that stays deleted is gone, also if that comes back later.
  private func giveUpCovers(of deleted: [any PersistentModel], for model: any PersistentModel, _ user: SharedUser) {
    guard let stored = try? stored() else { return }
    let gone = Set(deleted.map(\.persistentModelID))
    for case let folder as SharedFolder in deleted {
      let identifier = folder.persistentModelID
      let place = SharedIntent.Place(row: identifier, property: "cover")
      guard let cover = user.intent.set[place] ?? stored.rows[identifier]?.one["cover"], gone.contains(cover) else {
        continue
      }
      if folder === model || cover == model.persistentModelID { user.intent.set(folder, "cover", to: nil) }
    }
  }

  func rename(_ user: SharedUser, _ a: Int, _ b: Int) {
    guard let model = user.any(a) else { return }
    user.intent.renamed.insert(model.persistentModelID)
    switch model {
    case let model as SharedFolder: model.name = b % 3 == 0 ? "\(b % 9)" : "own \(next())"
    case let model as SharedBadge: model.name = "\(b)"
    case let model as SharedFile: model.name = b % 3 == 0 ? "\(b % 5)" : "own \(next())"
    case let model as SharedTag: model.name = "own \(next())"
    case let model as SharedLock: model.name = "\(b)"
    case let model as SharedPage: model.name = "\(b)"
    default: break
    }
  }

  func setValue(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) throws {
    if kind == .enumerate {
      let third = #Predicate<SharedFile> { $0.number % 3 == 0 }
      return try user.context.enumerate(
        FetchDescriptor(predicate: third), batchSize: 2, allowEscapingMutations: true
      ) { file in
        user.intent.renamed.insert(file.persistentModelID)
        file.number = next()
      }
    }
    if kind == .renameByIdentifier {
      guard let folder = try byIdentifier(user, a) else { return }
      user.intent.renamed.insert(folder.persistentModelID)
      folder.name = "own \(next())"
      return
    }
    guard let file = user.file(a) else { return }
    if kind == .applySnapshot { return try applySnapshot(user, a, b) }
    user.intent.renamed.insert(file.persistentModelID)
    switch kind {
    case .setValue: file.setValue(forKey: \.number, to: next())
    case .setTransformableValue: file.setTransformableValue(forKey: \.number, to: next())
    case .setBackingData:
      let data = file.persistentBackingData
      data.setValue(forKey: \.number, to: next())
    case .adoptBackingData:
      guard let other = user.file(b), other !== file else { return }
      user.intent.set(file, "folder", to: other.folder)
      file.persistentBackingData = other.persistentBackingData
      file.number = next()
    default: file.withMutation(keyPath: \.number) { file.number = next() }
    }
  }

  /// A folder by its identifier, which the context need not have met.
  func byIdentifier(_ user: SharedUser, _ number: Int) throws -> SharedFolder? {
    let known = ModelContext(container)
    let identifiers = try known.fetchIdentifiers(FetchDescriptor<SharedFolder>(sortBy: [SortDescriptor(\.number)]))
    guard !identifiers.isEmpty else { return nil }
    let folder = user.context.model(for: identifiers[number % identifiers.count]) as? SharedFolder
    return folder.flatMap { $0.isDeleted ? nil : $0 }
  }

  func applySnapshot(_ user: SharedUser, _ a: Int, _ b: Int) throws {
    guard let file = user.file(a), let folder = user.folder(b) else { return }
    var snapshot = file.snapshot()
    snapshot.number = next()
    snapshot.folder = folder.persistentModelID
    user.intent.renamed.insert(file.persistentModelID)
    user.intent.set(file, "folder", to: folder)
    // A folder that somebody has deleted meanwhile is refused.
    _ = try? file.apply(snapshot)
  }

  func delete(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int) throws {
    switch kind {
    case .delete:
      guard let model = user.any(a) else { return }
      user.intent.deleted.insert(model.persistentModelID)
      user.context.delete(model)
    case .deleteByIdentifier:
      guard let folder = try byIdentifier(user, a) else { return }
      user.intent.deleted.insert(folder.persistentModelID)
      user.context.delete(folder)
    default:
      let name = "\(a % 9)"
      let predicate = #Predicate<SharedFolder> { $0.name == name }
      user.intent.deleted.formUnion(try user.context.fetchIdentifiers(FetchDescriptor(predicate: predicate)))
      try user.context.delete(model: SharedFolder.self, where: predicate)
    }
  }
}
