import Foundation
import Roost

// Models that several contexts and programs share: a relationship of each kind, a delete rule and a policy each.

@Model final class SharedFolder {
  @Attribute(.unique) var name: String
  var number: Int
  var parent: SharedFolder?
  @Relationship(deleteRule: .cascade, inverse: \SharedFolder.parent) var children: [SharedFolder] = []
  @Relationship(inverse: \SharedBadge.holder) var badge: SharedBadge?
  @Relationship(deleteRule: .deny, inverse: \SharedLock.folder) var locks: [SharedLock] = []
  @Relationship(deleteRule: .nullify, inverse: \SharedFile.folder) var files: [SharedFile] = []
  @Relationship(deleteRule: .cascade, inverse: \SharedPage.folder) var pages: [SharedPage] = []
  @Relationship(inverse: \SharedTag.folders) var tags: [SharedTag] = []
  @Relationship(deleteRule: .cascade, inverse: nil) var cover: SharedFile?
  // In join tables.
  @Relationship(deleteRule: .cascade, inverse: nil) var attached: [SharedFile] = []
  @Relationship(deleteRule: .deny, inverse: nil) var pins: [SharedTag] = []

  init(name: String, number: Int, parent: SharedFolder? = nil) {
    self.name = name
    self.number = number
    self.parent = parent
  }
}

@Model final class SharedBadge {
  @Attribute(.unique(onConflict: .reject)) var name: String
  var number: Int
  var holder: SharedFolder?

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }
}

@Model final class SharedFile {
  @Attribute(.unique(onConflict: .keepExisting)) var name: String
  var number: Int
  var folder: SharedFolder?

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }
}

@Model final class SharedPage {
  var name: String
  var number: Int
  var folder: SharedFolder

  init(name: String, number: Int, folder: SharedFolder) {
    self.name = name
    self.number = number
    self.folder = folder
  }
}

@Model final class SharedTag {
  @Attribute(.unique) var name: String
  var number: Int
  var folders: [SharedFolder] = []

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }
}

@Model final class SharedLock {
  var name: String
  var number: Int
  var folder: SharedFolder?

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }
}
