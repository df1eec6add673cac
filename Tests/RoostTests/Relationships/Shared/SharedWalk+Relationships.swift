import Foundation
import Roost

extension SharedWalk {
  func setOne(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) throws {
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
    case .setFolderValue:
      guard let file = user.file(a), let folder = user.folder(b / 4) else { return }
      user.intent.set(file, "folder", to: isNil ? nil : folder)
      file.setValue(forKey: \.folder, to: isNil ? nil : folder)
    case .setPage, .setPageValue:
      guard let page = user.page(a), let folder = user.folder(b) else { return }
      user.intent.set(page, "folder", to: folder)
      if kind == .setPage { page.folder = folder } else { page.setValue(forKey: \.folder, to: folder) }
    case .setLockByIdentifier:
      guard let lock = user.lock(a), let folder = try byIdentifier(user, b) else { return }
      user.intent.set(lock, "folder", to: folder)
      lock.folder = folder
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
  func leads(_ folder: SharedFolder, to other: SharedFolder) -> Bool {
    var next: SharedFolder? = folder
    for _ in 0..<100 {
      guard let here = next else { return false }
      if here === other { return true }
      next = here.parent
    }
    return true
  }

  func setMany(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) {
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
    case .setFilesValue:
      let new = [user.file(b)].compactMap { $0 }
      user.intent.assign(folder, "folder", from: folder.files, to: new)
      folder.setValue(forKey: \.files, to: new)
    case .appendPage:
      guard let page = user.page(b) else { return }
      user.intent.set(page, "folder", to: folder)
      folder.pages.append(page)
    case .assignLocks:
      let new = b % 4 == 0 ? [] : [user.lock(b)].compactMap { $0 }
      user.intent.assign(folder, "folder", from: folder.locks, to: new)
      folder.locks = new
    case .assignTags:
      let new = b % 4 == 0 ? [] : [user.tag(b), user.tag(b / 3)].compactMap { $0 }
      user.intent.linked.insert(folder.persistentModelID)
      folder.tags = new
    case .assignAttached, .removeAttached:
      let new = [user.file(b), user.file(b / 3)].compactMap { $0 }.prefix(kind == .assignAttached ? 1 + b % 2 : 0)
      user.intent.linked.insert(folder.persistentModelID)
      user.intent.attached[folder.persistentModelID, default: []].formUnion(new.map(\.persistentModelID))
      if kind == .assignAttached {
        folder.attached = Array(new)
      } else if !folder.attached.isEmpty {
        folder.attached.remove(at: b % folder.attached.count)
      }
    case .assignPins:
      user.intent.linked.insert(folder.persistentModelID)
      folder.pins = b % 3 > 0 ? [] : [user.tag(b)].compactMap { $0 }
    default:
      guard let tag = user.tag(b) else { return }
      user.intent.linked.insert(tag.persistentModelID)
      tag.folders = b % 4 == 0 ? [] : [folder]
    }
  }
}
