import Foundation
import Roost
import Testing

@Suite struct DeleteRuleTests {
  @Test func `nullify lets the related models go`() throws {
    let context = try makePeople()
    let (boss, worker) = (Person(name: "boss"), Person(name: "worker"))
    worker.manager = boss
    context.insert(worker)
    try context.save()
    context.delete(boss)
    #expect(worker.manager == nil)
    try context.save()
    let left = try ModelContext(context.container).fetch(FetchDescriptor<Person>())
    #expect(left.map(\.name) == ["worker"])
    #expect(left.first?.manager == nil)
  }

  @Test func `deny throws and names who refers`() throws {
    let context = try makePeople()
    let person = Person(name: "Anna")
    let loan = Loan(amount: 10, borrower: person)
    context.insert(loan)
    try context.save()
    context.delete(person)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.model == "Person")
    #expect(error?.property == "loans")
    context.delete(loan)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Person>()) == 0)
  }

  @Test func `noAction leaves the related models alone`() throws {
    let context = try makePeople()
    let person = Person(name: "Anna")
    context.insert(Visit(place: "zoo", person: person))
    try context.save()
    context.delete(person)
    try context.save()
    let visit = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Visit>()).first)
    #expect(visit.place == "zoo")
    #expect(visit.person == nil)
  }

  @Test func `a model that never had a row lets go of everything, whatever its rules`() throws {
    let context = try makePeople()
    let visit = Visit(place: "zoo", person: nil)
    context.insert(visit)
    try context.save()
    let person = Person(name: "Anna")
    context.insert(person)
    visit.person = person
    context.delete(person)
    #expect(visit.person == nil)
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Visit>()).map(\.place) == ["zoo"])
  }

  @Test func `cascades reach rows that were never loaded`() throws {
    let context = try makeLibrary()
    let author = Author(name: "Lack")
    author.books = (0..<10).map { Book(title: "\($0)") }
    context.insert(author)
    try context.save()
    let other = ModelContext(context.container)
    let same = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    other.delete(same)
    #expect(try other.fetch(FetchDescriptor<Book>()).isEmpty)
    try other.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `deleting by predicate applies the rules`() throws {
    let context = try makeLibrary()
    for name in ["Lack", "Carson"] {
      let author = Author(name: name)
      author.books = [Book(title: "by \(name)")]
      context.insert(author)
    }
    try context.save()
    try context.delete(model: Author.self, where: #Predicate { $0.name == "Lack" })
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Book>()).map(\.title) == ["by Carson"])
  }

  @Test func `a required relationship that leads nowhere fails the save`() throws {
    let context = try makePeople()
    let person = Person(name: "Anna")
    context.insert(Loan(amount: 10, borrower: person))
    context.delete(person)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
  }
}
