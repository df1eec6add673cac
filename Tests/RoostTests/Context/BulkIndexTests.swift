import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

@Suite struct BulkIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a small save keeps the indexes`() throws {
    try withContext { context in
      insertBooks(10, into: context)
      try context.save()
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `the indexes of a table that a save fills are made for the first query that may use them`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      #expect(try plainIndexes() == [])
      #expect(try context.fetch(FetchDescriptor<Author>()).count == 1)
      #expect(try plainIndexes() == [])
      #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1_500)
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `a second load keeps the indexes that a query has had made`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      _ = try context.fetchCount(FetchDescriptor<Book>())
      insertBooks(1_500, into: context)
      try context.save()
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `a deletion finds what refers to the row by an index`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
      context.delete(author)
      try context.save()
      #expect(try plainIndexes() == ["Book_author_index"])
      #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
    }
  }

  @Test func `the end of the container makes the missing indexes`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
    }
    #expect(try plainIndexes() == ["Book_author_index"])
  }

  @Test func `closing the container makes the missing indexes`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      try context.container.close()
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `indexes that are missing when a file is opened are made by the next query`() throws {
    try withContext {
      insertBooks(1, into: $0); try $0.save()
    }
    try Connection(ConnectionOptions(location: .file(path: folder.store.path))).execute("DROP INDEX Book_author_index")
    try withContext { context in
      #expect(try plainIndexes() == [])
      _ = try context.fetchCount(FetchDescriptor<Book>())
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `a save that fails leaves the indexes in place`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      context.insert(Tag(name: "a"))
      try context.save()
    }
    try withContext { context in
      let tags = try context.fetch(FetchDescriptor<Tag>())
      insertBooks(1_500, into: context)
      let twin = Tag(name: "b")
      context.insert(twin)
      try context.save()
      twin.name = tags[0].name
      #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `a save that fills a table keeps the index by which it looks for former partners`() throws {
    try withContext(of: BulkUser.self) { context in
      let users = (0..<1_500).map { _ in BulkUser() }
      users.forEach { context.insert($0) }
      try context.save()
      #expect(try plainIndexes(of: "BulkUser") == ["BulkUser_profile_index"])
      let team = BulkTeam()
      for user in users { context.insert(BulkProfile(user: user, team: team)) }
      try context.save()
      #expect(try plainIndexes(of: "BulkProfile") == ["BulkProfile_user_index"])
      #expect(try context.fetchCount(FetchDescriptor<BulkProfile>()) == 1_500)
      #expect(Set(try plainIndexes(of: "BulkProfile")) == ["BulkProfile_user_index", "BulkProfile_team_index"])
    }
  }

  @Test func `a save that fills a table keeps the index by which it counts the members of lists`() throws {
    try withContext(of: BulkParcel.self) { context in
      let team = BulkTeam()
      for _ in 0..<750 { context.insert(BulkParcel(items: [BulkItem(team: team), BulkItem(team: team)])) }
      try context.save()
      #expect(try plainIndexes(of: "BulkItem") == ["BulkItem_parcel_index"])
      context.insert(BulkParcel(items: []))
      #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    }
    #expect(Set(try plainIndexes(of: "BulkItem")) == ["BulkItem_parcel_index", "BulkItem_team_index"])
  }

  @Test func `the code of a migration that fills a table keeps its indexes for what it asks next`() throws {
    enum Plan: LettersPlan {
      static let stages = stage { context in
        let sender = LettersV2.Sender(name: "Ada")
        context.insert(sender)
        for number in 0..<1_500 { context.insert(LettersV2.Letter(text: "", code: "\(number)", sender: sender)) }
        try context.save()
        let names = try context.rows(
          sql: "SELECT name FROM sqlite_schema WHERE name = 'Letter_sender_index'", as: String.self)
        #expect(names == ["Letter_sender_index"])
      }
    }
    let store = try Migrated()
    try store.open(LettersV1.Letter.self, LettersV1.Parcel.self) { _ in }
    let count = try store.open(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self) { context in
      try context.fetchCount(FetchDescriptor<LettersV2.Letter>())
    }
    #expect(count == 1_500)
    let indexes = try store.strings("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Letter'")
    #expect(indexes.contains("Letter_sender_index"))
  }

  private func withContext(
    of model: any PersistentModel.Type = Author.self, _ body: (ModelContext) throws -> Void
  ) throws {
    let container = try ModelContainer(for: model, configurations: ModelConfiguration(url: folder.store))
    try body(ModelContext(container))
  }

  private func insertBooks(_ count: Int, into context: ModelContext) {
    let author = Author(name: "Lack")
    context.insert(author)
    for number in 0..<count { context.insert(Book(title: "\(number)", author: author)) }
  }

  private func plainIndexes(of table: String = "Book") throws -> [String] {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path), mode: .readOnly))
    let statement = try connection.statement(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = '\(table)' AND sql NOT LIKE '% WHERE %'")
    var names: [String] = []
    while try statement.step() { names.append(statement.string(0)) }
    return names
  }
}

@Model private final class BulkTeam {
  init() {}
}

@Model private final class BulkUser {
  @Relationship(inverse: \BulkProfile.user) var profile: BulkProfile?
  init() {}
}

@Model private final class BulkProfile {
  var user: BulkUser?
  var team: BulkTeam?

  init(user: BulkUser, team: BulkTeam) {
    self.user = user
    self.team = team
  }
}

@Model private final class BulkParcel {
  @Relationship(minimumModelCount: 1, inverse: \BulkItem.parcel) var items: [BulkItem] = []

  init(items: [BulkItem]) { self.items = items }
}

@Model private final class BulkItem {
  var parcel: BulkParcel?
  var team: BulkTeam?

  init(team: BulkTeam) { self.team = team }
}
