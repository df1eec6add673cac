import Foundation
import SwiftData
import Testing

@Model final class Movie {
  var title: String
  var year: Int
  var cast: [String]
  var score: Double?
  var director: Director?

  init(title: String, year: Int, cast: [String] = [], score: Double? = nil, director: Director? = nil) {
    self.title = title
    self.year = year
    self.cast = cast
    self.score = score
    self.director = director
  }
}

@Model final class Director {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: [Movie] = []

  init(name: String) { self.name = name }
}

extension FetchDescriptor where T == Movie {
  static func recent(after year: Int, limit: Int? = nil) -> Self {
    var descriptor = FetchDescriptor(
      predicate: #Predicate { $0.year > year },
      sortBy: [SortDescriptor(\.year, order: .reverse), SortDescriptor(\.title)])
    descriptor.fetchLimit = limit
    return descriptor
  }
}

private struct Repository<Model: PersistentModel> {
  let context: ModelContext

  func all(_ predicate: Predicate<Model>? = nil, sortBy: SortDescriptor<Model>...) throws -> [Model] {
    try context.fetch(FetchDescriptor<Model>(predicate: predicate, sortBy: sortBy))
  }

  func first(where predicate: Predicate<Model>) throws -> Model? {
    var descriptor = FetchDescriptor(predicate: predicate)
    descriptor.fetchLimit = 1
    return try context.fetch(descriptor).first
  }

  func isEmpty() throws -> Bool { try context.fetchCount(FetchDescriptor<Model>()) == 0 }

  func deleteAll() throws { try context.delete(model: Model.self) }
}

/// Fetches in all forms.
@Suite struct MoviesTests {
  let context: ModelContext

  init() throws {
    context = try ModelContext(
      ModelContainer(for: Movie.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let scott = Director(name: "Ridley Scott")
    context.insert(scott)
    for (title, year, score) in [
      ("Alien", 1979, 8.5), ("Blade Runner", 1982, 8.1), ("Gladiator", 2000, nil as Double?),
    ] {
      context.insert(Movie(title: title, year: year, score: score, director: scott))
    }
    context.insert(Movie(title: "Back to the Future", year: 1985, cast: ["Fox", "Lloyd"], score: 8.5))
    try context.save()
  }

  @Test func `Limits, offsets and orders`() throws {
    #expect(try context.fetch(.recent(after: 1980, limit: 2)).map(\.title) == ["Gladiator", "Back to the Future"])
    var page = FetchDescriptor<Movie>(sortBy: [.init(\.title)])
    page.fetchOffset = 1
    page.fetchLimit = 2
    #expect(try context.fetch(page).map(\.title) == ["Back to the Future", "Blade Runner"])
    let byScore = FetchDescriptor<Movie>(sortBy: [SortDescriptor(\.score, order: .reverse), SortDescriptor(\.title)])
    #expect(try context.fetch(byScore).map(\.title) == ["Alien", "Back to the Future", "Blade Runner", "Gladiator"])
    let byDirector = FetchDescriptor<Movie>(sortBy: [SortDescriptor(\.director?.name), SortDescriptor(\.year)])
    #expect(try context.fetch(byDirector).first?.title == "Back to the Future")
    let natural = SortDescriptor(\Movie.title, comparator: .localizedStandard)
    #expect(try context.fetch(FetchDescriptor(sortBy: [natural])).first?.title == "Alien")
  }

  @Test func `What is fetched, and what along with it`() throws {
    var descriptor = FetchDescriptor<Movie>(predicate: #Predicate { $0.director != nil })
    descriptor.propertiesToFetch = [\.title, \.year]
    descriptor.relationshipKeyPathsForPrefetching = [\.director]
    descriptor.includePendingChanges = false
    let movies = try ModelContext(context.container).fetch(descriptor)
    #expect(movies.count == 3 && movies.allSatisfy { $0.director?.name == "Ridley Scott" })
    #expect(try context.fetchIdentifiers(descriptor).count == 3)
    let batches = try context.fetch(FetchDescriptor<Movie>(sortBy: [SortDescriptor(\.year)]), batchSize: 2)
    #expect(batches.count == 4 && batches[3].title == "Gladiator" && batches.map(\.year).max() == 2000)
  }

  @Test func `A walk over all models edits them`() throws {
    try context.enumerate(FetchDescriptor<Movie>(), batchSize: 3, allowEscapingMutations: true) { movie in
      movie.score = (movie.score ?? 0) + 1
    }
    try context.save()
    #expect(
      try context.fetch(FetchDescriptor<Movie>(sortBy: [SortDescriptor(\.year)])).map(\.score) == [9.5, 9.1, 9.5, 1])
  }

  @Test func `Conditions of conditions, and expressions`() throws {
    let eighties = #Predicate<Movie> { $0.year >= 1980 && $0.year < 1990 }
    let good = #Predicate<Movie> { movie in movie.score.flatMap { $0 > 8.2 } ?? false }
    let both = #Predicate<Movie> { eighties.evaluate($0) && good.evaluate($0) }
    #expect(try context.fetch(FetchDescriptor(predicate: both)).map(\.title) == ["Back to the Future"])
    let old = #Expression<[Movie], Int> { movies in movies.filter { $0.year < 1990 }.count }
    let prolific = #Predicate<Director> { director in old.evaluate(director.movies) == 2 }
    #expect(try context.fetch(FetchDescriptor(predicate: prolific)).map(\.name) == ["Ridley Scott"])
    let movies = try context.fetch(FetchDescriptor<Movie>())
    #expect(try movies.filter(eighties).count == 2)
  }

  @Test func `Texts, lists, ranges and choices`() throws {
    func titles(_ predicate: Predicate<Movie>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.year)])).map(\.title)
    }
    let years = [1979, 2000]
    let search: String? = "runner"
    #expect(try titles(#Predicate { years.contains($0.year) }) == ["Alien", "Gladiator"])
    #expect(try titles(#Predicate { (1980...1985).contains($0.year) }) == ["Blade Runner", "Back to the Future"])
    #expect(try titles(#Predicate { $0.title.starts(with: "Back to the Future") }) == ["Back to the Future"])
    #expect(try titles(#Predicate { $0.title.localizedStandardContains(search ?? "") }) == ["Blade Runner"])
    #expect(
      try titles(#Predicate { $0.title.contains("a") && !($0.score == nil) }) == ["Blade Runner", "Back to the Future"])
    #expect(
      try titles(#Predicate { $0.score ?? 0 > 8.4 || $0.director?.movies.count == 0 }) == [
        "Alien", "Back to the Future",
      ])
    #expect(try titles(#Predicate { _ in false }).isEmpty)
    #expect(try titles(.true).count == 4)
    #expect(try titles(#Predicate { movie in search == nil || movie.title.count == 12 }) == ["Blade Runner"])
  }

  @Test func `Generic code works for any model`() throws {
    let movies = Repository<Movie>(context: context)
    #expect(try movies.all(sortBy: SortDescriptor(\.title)).count == 4)
    #expect(try movies.first(where: #Predicate { $0.title == "Alien" })?.year == 1979)
    try Repository<Director>(context: context).deleteAll()
    try context.save()
    #expect(try Repository<Director>(context: context).isEmpty())
    #expect(try movies.all().map(\.title) == ["Back to the Future"])
  }
}
