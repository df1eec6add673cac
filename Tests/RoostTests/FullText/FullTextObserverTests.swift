import Foundation
import Roost
import Testing

@Suite @MainActor struct FullTextObserverTests {
  @Test func `results, counts and deletions by a search follow unsaved and saved changes`() throws {
    let stand = try Newsstand()
    let context = stand.context
    let found = #Predicate<Article> { $0.body.matches("swift") }
    let observer = try ResultsObserver(filterBy: found, modelContext: context)
    #expect(observer.results.isEmpty)
    let article = Article("A", "swifts", stars: 2)
    context.insert(article)
    context.insert(Article("B", "sparrows", stars: 1))
    #expect(observer.results.map(\.title) == ["A"])
    #expect(try context.fetchCount(FetchDescriptor(predicate: found)) == 1)
    #expect(try context.aggregate(FetchDescriptor(predicate: found), .sum(\.stars)) == 2)
    try context.save()
    article.body = "sparrows"
    #expect(observer.results.isEmpty)
    try context.save()
    #expect(observer.results.isEmpty)
    try context.execute(sql: "UPDATE \(Article.self) SET body = 'swifts' WHERE title = 'B'")
    #expect(observer.results.map(\.title) == ["B"])
    try context.delete(model: Article.self, where: found)
    #expect(observer.results.isEmpty)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Article>()).map(\.title) == ["A"])
    try stand.check()
  }

  @Test func `a search may come after an insertion that was taken back`() throws {
    let stand = try Newsstand()
    let article = Article("A", "swifts")
    stand.context.insert(article)
    stand.context.delete(article)
    let found = #Predicate<Article> { $0.body.matches("swift") }
    #expect(try stand.titles(found) == [])
    let draft = ModelContext(draftOf: stand.context)
    draft.insert(Magazine(name: "Birds"))
    let other = Article("B", "swifts")
    draft.insert(other)
    draft.delete(other)
    #expect(try draft.fetchCount(FetchDescriptor(predicate: found)) == 0)
    draft.insert(Article("C", "swifts"))
    #expect(try draft.fetch(FetchDescriptor(predicate: found)).map(\.title) == ["C"])
  }

  @Test func `an undone deletion is found again`() throws {
    let stand = try Newsstand()
    let context = stand.context
    context.undoManager = UndoManager()
    let article = Article("A", "swifts")
    context.insert(article)
    try context.save()
    context.delete(article)
    try context.save()
    let found = FetchDescriptor<Article>(predicate: #Predicate { $0.body.matches("swift") })
    #expect(try context.fetch(found).isEmpty)
    context.undoManager?.undo()
    #expect(try context.fetch(found).map(\.title) == ["A"])
    try context.save()
    #expect(try context.fetch(found).map(\.title) == ["A"])
    try stand.check()
  }
}
