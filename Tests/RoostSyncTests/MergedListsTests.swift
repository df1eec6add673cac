import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Lists of rows that became others.
@Suite struct MergedListsTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  @Test mutating func `what was taken out of a list is out of it though it became another one before that was sent`()
    throws
  {
    let first = try Machine(1, Posts.self, at: folder.store("first"))
    let second = try Machine(2, Posts.self, at: folder.store("second"))
    first.context.insert(Posts.Tag("work"))
    try first.context.save()
    try first.sync(&zone)
    let post = Posts.Post("One")
    post.tags = [Posts.Tag("work"), Posts.Tag("home")]
    second.context.insert(post)
    try second.context.save()
    try second.begin(&zone)
    let push = try #require(try second.synced.nextPush(identity: 1, now: second.now))
    let answer = try zone.take(push, now: second.now)
    post.tags.removeAll { $0.name == "work" }
    try second.context.save()
    try second.synced.receive(answer, now: second.now)
    for machine in [second, first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      let posts = try machine.all(Posts.Post.self, by: SortDescriptor(\.title))
      #expect(posts.map { $0.tags.map(\.name) } == [["home"]])
      #expect(try machine.all(Posts.Tag.self, by: SortDescriptor(\.name)).map(\.name) == ["home", "work"])
    }
  }

  @Test mutating func `a list keeps a row that became another one, of which an earlier page tells than of the list`()
    throws
  {
    let first = try Machine(1, Posts.self, at: folder.store("first"))
    let second = try Machine(2, Posts.self, at: folder.store("second"))
    let post = Posts.Post("One")
    for model in [post, Posts.Tag("home")] as [any PersistentModel] { first.context.insert(model) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    first.context.insert(Posts.Tag("work"))
    try first.context.save()
    try first.sync(&zone)
    second.context.insert(Posts.Tag("work"))
    try second.context.save()
    let push = try #require(try second.synced.nextPush(identity: 1, now: second.now))
    let answer = try zone.take(push, now: second.now)
    let shown = try #require(try second.all(Posts.Post.self, by: SortDescriptor(\.title)).first)
    shown.tags = try second.all(Posts.Tag.self, by: SortDescriptor(\.name)).filter { $0.name == "work" }
    try second.context.save()
    try second.synced.receive(answer, now: second.now)
    post.tags = try first.all(Posts.Tag.self, by: SortDescriptor(\.name)).filter { $0.name == "home" }
    try first.context.save()
    try first.sync(&zone)
    try second.pull(zone)
    let posts = try second.all(Posts.Post.self, by: SortDescriptor(\.title))
    #expect(posts.map { Set($0.tags.map(\.name)) } == [["home", "work"]])
  }
}

private enum Posts: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Post.self] }

  @Model final class Tag {
    @Attribute(.unique) var name: String
    var posts: [Post] = []

    init(_ name: String) { self.name = name }
  }

  @Model final class Post {
    var title: String
    @Relationship(inverse: \Tag.posts) var tags: [Tag] = []

    init(_ title: String) { self.title = title }
  }
}
