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
    #expect(error?.row == person.persistentModelID && error?.message.contains("Loan 1") ?? false)
    context.delete(loan)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Person>()) == 0)
  }

  @Test(arguments: [false, true])
  func `rules other than cascade hold for rows that were never loaded`(isByPredicate: Bool) throws {
    let context = try makePeople()
    let (boss, debtor) = (Person(name: "boss"), Person(name: "debtor"))
    boss.reports = [Person(name: "worker")]
    boss.passport = Passport(number: "1")
    for model in [boss, debtor] { context.insert(model) }
    context.insert(Loan(amount: 10, borrower: debtor))
    try context.save()
    func delete(_ name: String) throws {
      let other = ModelContext(context.container)
      if isByPredicate {
        try other.delete(model: Person.self, where: #Predicate { $0.name == name })
      } else {
        let found = try other.fetch(FetchDescriptor<Person>(predicate: #Predicate { $0.name == name }))
        found.forEach { other.delete($0) }
      }
      try other.save()
    }
    try delete("boss")
    let error = #expect(throws: SwiftDataError.self) { try delete("debtor") }
    #expect(error == .modelValidationFailure && error?.property == "loans")
    #expect(error?.message.contains("Loan 1") ?? false)
    let other = ModelContext(context.container)
    let people = try other.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map(\.name) == ["debtor", "worker"] && people.map(\.loans.count) == [1, 0])
    #expect(people[1].manager == nil)
    #expect(try other.fetch(FetchDescriptor<Passport>()).map(\.holder) == [nil])
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

  @Test func `queries see nil where noAction or deny leaves the key of a deleted model`() throws {
    let context = try makePeople()
    let (anna, bert) = (Person(name: "Anna"), Person(name: "Bert"))
    for person in [anna, bert] { context.insert(Visit(place: "zoo", person: person)) }
    let (ship, harbor) = (Ship("Ann"), Harbor("Brest"))
    let ships = ModelContext(
      try ModelContainer(for: Ship.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    ships.insert(ship)
    ship.home = harbor
    for context in [context, ships] { try context.save() }
    func people(_ predicate: Predicate<Visit>) throws -> [String?] {
      let found = try context.fetch(FetchDescriptor(predicate: predicate))
      #expect(try found.allSatisfy { try predicate.evaluate($0) })
      return found.map(\.person?.name)
    }
    let bertsID = bert.persistentModelID
    context.delete(anna)
    for _ in 0..<2 {
      #expect(try people(#Predicate { $0.person == nil }) == [nil])
      #expect(try people(#Predicate { $0.person != nil }) == ["Bert"])
      #expect(try people(#Predicate { $0.person?.persistentModelID == bertsID }) == ["Bert"])
      #expect(try people(#Predicate { $0.person?.name != "Bert" }) == [nil])
      try context.save()
    }
    ships.delete(harbor)
    let homeless = FetchDescriptor<Ship>(predicate: #Predicate { $0.home == nil })
    #expect(try ship.home == nil && ships.fetchCount(homeless) == 1)
    ships.rollback()
    #expect(try ships.fetchCount(homeless) == 0)
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

  @Test(arguments: [false, true])
  func `a cascade takes along as many levels as there are, also round in a circle`(isCircle: Bool) throws {
    let context = ModelContext(
      try ModelContainer(for: CascadeLink.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let first = CascadeLink(previous: nil)
    context.insert(first)
    var last = first
    // SQLite's own cascades end with an error after 1,000.
    for _ in 0..<1_100 { last = CascadeLink(previous: last) }
    if isCircle { first.previous = last }
    try context.save()
    let other = ModelContext(context.container)
    other.delete(try #require(other.model(for: first.persistentModelID) as? CascadeLink))
    try other.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<CascadeLink>()) == 0)
  }

  @Test func `a deletion that is taken back refers to those again that it let go`() throws {
    let context = try makePeople()
    let (boss, worker, other) = (Person(name: "boss"), Person(name: "worker"), Person(name: "other"))
    boss.reports = [worker, other]
    boss.passport = Passport(number: "1")
    context.insert(boss)
    try context.save()
    context.delete(boss)
    other.manager = worker
    context.insert(boss)
    #expect(boss.reports == [worker] && worker.manager === boss && other.manager === worker)
    #expect(boss.passport?.holder === boss)
    try context.save()
    let people = try ModelContext(context.container).fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map { $0.manager?.name } == [nil, "worker", "boss"] && people[0].passport?.number == "1")
  }

  @Test(arguments: [false, true])
  func `a deletion that is taken back leaves out those that went with it`(isSaved: Bool) throws {
    let context = try makeLibrary()
    let (author, tag) = (Author(name: "Lack"), Tag(name: "birds"))
    author.books = [Book(title: "A")]
    author.books[0].tags = [tag]
    context.insert(author)
    if isSaved { try context.save() }
    context.delete(author)
    context.insert(author)
    #expect(author.books.isEmpty && tag.books.isEmpty)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetch(FetchDescriptor<Author>()).map(\.books.count) == [0])
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test(arguments: [false, true])
  func `a new model's relationship is nil when its target goes with the same save`(isTargetSaved: Bool) throws {
    let container = try ModelContainer(
      for: UndoPointer.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let target = UndoTarget(name: "t")
    context.insert(target)
    if isTargetSaved { try context.save() }
    let pointer = UndoPointer(target: target)
    context.insert(pointer)
    context.delete(target)
    #expect(pointer.target == nil && pointer.targets.isEmpty)
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<UndoPointer>())
    #expect(found.map(\.target) == [nil] && found.map(\.targets) == [[]])
  }

  @Test(arguments: [false, true])
  func `after a save that failed a deletion is taken back with who referred to the model`(isRolledBack: Bool) throws {
    let container = try ModelContainer(
      for: PageMark.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let page = MarkedPage()
    context.insert(page)
    try context.save()
    let mark = PageMark(page: page)
    context.insert(mark)
    context.delete(page)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    if isRolledBack {
      context.rollback()
      context.insert(mark)
    } else {
      context.insert(page)
    }
    #expect(mark.page === page)
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<PageMark>())
    #expect(found.map(\.page.persistentModelID) == [page.persistentModelID])
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

  @Test(arguments: [false, true])
  func `what let a model go stays when that is deleted by the same save`(isGiven: Bool) throws {
    let container = try ModelContainer(
      for: PageHolder.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (holder, page, seal) = (PageHolder(), HeldPage(), HeldSeal())
    holder.page = page
    holder.seal = seal
    context.insert(holder)
    try context.save()
    let other = isGiven ? PageHolder() : nil
    page.holder = other
    seal.holder = other
    context.delete(holder)
    try context.save()
    let reader = ModelContext(container)
    #expect(try reader.fetchCount(FetchDescriptor<PageHolder>()) == (isGiven ? 1 : 0))
    #expect(try reader.fetch(FetchDescriptor<HeldPage>()).map { $0.holder != nil } == [isGiven])
    #expect(try reader.fetch(FetchDescriptor<HeldSeal>()).map { $0.holder != nil } == [isGiven])
  }

  @Test func `what a model protects may be taken from it before it is deleted by the same save`() throws {
    let container = try ModelContainer(
      for: PageHolder.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let holder = PageHolder()
    holder.seal = HeldSeal()
    context.insert(holder)
    try context.save()
    holder.seal = nil
    context.delete(holder)
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<HeldSeal>()).map(\.holder) == [nil])
  }

  @Test func `what let go of a model that must refer to it stays, too`() throws {
    let container = try ModelContainer(
      for: PageFolder.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let page = FolderPage()
    let folder = PageFolder(page: page)
    context.insert(folder)
    try context.save()
    page.folder = nil
    context.delete(folder)
    try context.save()
    let reader = ModelContext(container)
    #expect(try reader.fetch(FetchDescriptor<FolderPage>()).map(\.folder) == [nil])
    #expect(try reader.fetchCount(FetchDescriptor<PageFolder>()) == 0)
  }

  @Test func `a model that was given to another one and let go is deleted by the same save`() throws {
    let container = try ModelContainer(
      for: PageFolder.self, PageBinder.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (binder, page, other) = (PageBinder(), FolderPage(), FolderPage())
    let (bound, folder) = (BoundPage(binder: PageBinder()), PageFolder(page: page))
    for model in [binder, bound, folder, other] as [any PersistentModel] { context.insert(model) }
    try context.save()
    bound.binder = binder
    binder.pages = []
    context.delete(bound)
    folder.page = other
    other.folder = nil
    context.delete(folder)
    try context.save()
    let reader = ModelContext(container)
    #expect(try reader.fetchCount(FetchDescriptor<BoundPage>()) == 0)
    #expect(try reader.fetch(FetchDescriptor<PageBinder>()).map(\.pages.count) == [0, 0])
    #expect(try reader.fetchCount(FetchDescriptor<PageFolder>()) == 0)
    #expect(try reader.fetch(FetchDescriptor<FolderPage>()).map(\.folder) == [nil, nil])
  }

  @Test func `a required relationship that is nil fails the save`() throws {
    let context = try makePeople()
    let person = Person(name: "Anna")
    context.insert(Loan(amount: 10, borrower: person))
    context.delete(person)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
  }

  /// Whose row another context deletes meanwhile.
  enum Deleted: CaseIterable { case nobody, owner, member }

  @Test(arguments: Deleted.allCases)
  func `an unsaved link to a stored row takes it along with its owner`(deleted: Deleted) throws {
    let context = try makeCrate()
    let (crate, part) = (try #require(try context.first(Crate.self)), try #require(try context.first(CratePart.self)))
    crate.parts.append(part)
    let other = ModelContext(context.container)
    switch deleted {
    case .nobody: break
    case .owner: other.delete(other.model(for: crate.persistentModelID))
    case .member: other.delete(other.model(for: part.persistentModelID))
    }
    try other.save()
    context.delete(crate)
    context.insert(CratePart(name: "another"))
    try context.save()
    let fresh = ModelContext(context.container)
    #expect(try fresh.fetchCount(FetchDescriptor<Crate>()) == 0)
    // Of an owner that is gone no row says who went with it.
    let parts = try fresh.fetch(FetchDescriptor<CratePart>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    #expect(parts == (deleted == .owner ? ["another", "part"] : ["another"]))
  }

  @Test func `an unsaved link to a stored row protects its owner`() throws {
    let context = try makeCrate()
    let (crate, lock) = (try #require(try context.first(Crate.self)), try #require(try context.first(CrateLock.self)))
    crate.locks.append(lock)
    context.delete(crate)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure && error?.property == "locks")
    context.delete(lock)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Crate>()) == 0)
  }

  private func makeCrate() throws -> ModelContext {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let context = ModelContext(try ModelContainer(for: Crate.self, configurations: configuration))
    context.insert(Crate())
    context.insert(CratePart(name: "part"))
    context.insert(CrateLock())
    try context.save()
    return context
  }
}

@Model private final class CascadeLink {
  var previous: CascadeLink?
  @Relationship(deleteRule: .cascade, inverse: \CascadeLink.previous) var next: CascadeLink?

  init(previous: CascadeLink?) { self.previous = previous }
}

@Model private final class PageHolder {
  @Relationship(deleteRule: .cascade, inverse: \HeldPage.holder) var page: HeldPage?
  @Relationship(deleteRule: .deny, inverse: \HeldSeal.holder) var seal: HeldSeal?

  init() {}
}

@Model private final class HeldPage {
  var holder: PageHolder?

  init() {}
}

@Model private final class HeldSeal {
  var holder: PageHolder?

  init() {}
}

@Model private final class PageFolder {
  @Relationship(deleteRule: .cascade, inverse: \FolderPage.folder) var page: FolderPage

  init(page: FolderPage) { self.page = page }
}

@Model private final class FolderPage {
  var folder: PageFolder?

  init() {}
}

@Model private final class PageMark {
  @Relationship(inverse: nil) var page: MarkedPage

  init(page: MarkedPage) { self.page = page }
}

@Model private final class MarkedPage {
  var number = 0

  init() {}
}

@Model private final class PageBinder {
  @Relationship(deleteRule: .cascade, inverse: \BoundPage.binder) var pages: [BoundPage] = []

  init() {}
}

@Model private final class BoundPage {
  var binder: PageBinder

  init(binder: PageBinder) { self.binder = binder }
}

@Model private final class Crate {
  @Relationship(deleteRule: .cascade, inverse: nil) var parts: [CratePart] = []
  @Relationship(deleteRule: .deny, inverse: nil) var locks: [CrateLock] = []

  init() {}
}

@Model private final class CratePart {
  var name: String

  init(name: String) { self.name = name }
}

@Model private final class CrateLock {
  init() {}
}

extension ModelContext {
  fileprivate func first<Model: PersistentModel>(_: Model.Type) throws -> Model? { try first(FetchDescriptor<Model>()) }
}
