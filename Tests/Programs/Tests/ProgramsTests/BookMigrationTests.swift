import Foundation
import SwiftData
import Testing

enum BooksSchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Book.self] }

  @Model final class Book {
    var title: String
    var author_name: String

    init(title: String, author_name: String) {
      self.title = title
      self.author_name = author_name
    }
  }
}

enum BooksSchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 1, 0)
  static let models: [any PersistentModel.Type] = [Book.self]

  @Model final class Book {
    @Attribute(.unique) var title: String
    @Attribute(originalName: "author_name") var author: String
    var rating: Int = 3

    init(title: String, author: String) {
      self.title = title
      self.author = author
    }
  }
}

enum BooksSchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static let models: [any PersistentModel.Type] = [Book.self, Shelf.self]

  @Model final class Book {
    @Attribute(.unique) var title: String
    var author: String
    var rating: Int = 3
    var shelf: Shelf?

    init(title: String, author: String) {
      self.title = title
      self.author = author
    }
  }

  @Model final class Shelf {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Book.shelf) var books: [Book] = []

    init(name: String) { self.name = name }
  }
}

enum BooksMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [BooksSchemaV1.self, BooksSchemaV2.self, BooksSchemaV3.self] }
  static var stages: [MigrationStage] { [migrateV1toV2, migrateV2toV3] }

  static let migrateV1toV2 = MigrationStage.custom(
    fromVersion: BooksSchemaV1.self, toVersion: BooksSchemaV2.self,
    willMigrate: { context in
      let books = try context.fetch(FetchDescriptor<BooksSchemaV1.Book>(sortBy: [SortDescriptor(\.title)]))
      var titles = Set<String>()
      for book in books where !titles.insert(book.title).inserted { context.delete(book) }
      try context.save()
    }, didMigrate: nil)

  static let migrateV2toV3 = MigrationStage.custom(
    fromVersion: BooksSchemaV2.self, toVersion: BooksSchemaV3.self, willMigrate: nil,
    didMigrate: { context in
      let shelf = BooksSchemaV3.Shelf(name: "Unsorted")
      context.insert(shelf)
      for book in try context.fetch(FetchDescriptor<BooksSchemaV3.Book>()) { book.shelf = shelf }
      try context.save()
    })
}

typealias Book = BooksSchemaV3.Book
typealias Shelf = BooksSchemaV3.Shelf

/// In the style of apps that have shipped three versions.
@Suite struct BookMigrationTests {
  let url = FileManager.default.temporaryDirectory.appending(path: "BookMigrationTests-\(UUID())/books.store")

  init() throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  @Test func `A store of the first version comes to the third by both stages`() throws {
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    do {
      let schema = Schema(versionedSchema: BooksSchemaV1.self)
      let container = try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url))
      let context = ModelContext(container)
      for title in ["Dune", "Dune", "Emma"] {
        context.insert(BooksSchemaV1.Book(title: title, author_name: "Author of \(title)"))
      }
      try context.save()
    }
    let container = try ModelContainer(
      for: Book.self, Shelf.self, migrationPlan: BooksMigrationPlan.self, configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    #expect(books.map(\.author) == ["Author of Dune", "Author of Emma"])
    #expect(books.map(\.rating) == [3, 3])
    #expect(try context.fetch(FetchDescriptor<Shelf>()).map(\.books.count) == [2])
    #expect(container.migrationPlan != nil)
  }

  @Test func `A new store has the newest version at once`() throws {
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let schema = Schema(versionedSchema: BooksSchemaV3.self)
    let container = try ModelContainer(
      for: schema, migrationPlan: BooksMigrationPlan.self, configurations: [ModelConfiguration(url: url)])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Shelf>()) == 0)
    #expect(container.schema.version == Schema.Version(2, 0, 0))
    #expect(schema.entities.map(\.name).sorted() == ["Book", "Shelf"])
    #expect(schema.entitiesByName["Book"]?.attributesByName["title"]?.isUnique == true)
  }
}
