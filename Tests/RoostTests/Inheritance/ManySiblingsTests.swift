import Foundation
import Roost
import Testing

@Suite struct ManySiblingsTests {
  @Test func `26 subclasses of a base that nobody makes models of share a table`() throws {
    let folder = try TemporaryFolder()
    let context = ModelContext(
      try ModelContainer(for: Schema(letterTypes), configurations: [ModelConfiguration(url: folder.store)]))
    for make in letterMakers { context.insert(make("x")) }
    (try context.fetch(FetchDescriptor<LetterQ>())).first?.value = 7
    try context.save()
    #expect(try rows(of: folder.store, "SELECT count(*) FROM pragma_table_info('Letter')") == ["55"])
    let other = ModelContext(context.container)
    let letters = try other.fetch(FetchDescriptor<Letter>())
    #expect(Set(classes(letters)).count == 26)
    #expect(letters.compactMap { ($0 as? LetterQ)?.value } == [7])
    #expect(try other.fetch(FetchDescriptor<LetterQ>(predicate: #Predicate { $0.value == 7 })).map(\.ownQ) == ["Q"])
    #expect(try other.fetchCount(FetchDescriptor<LetterZ>(predicate: #Predicate { $0.value == 7 })) == 0)
    #expect(
      try other.fetchCount(
        FetchDescriptor<Letter>(predicate: #Predicate { $0 is LetterA || ($0 as? LetterQ)?.value == 7 })) == 2)
  }
}
