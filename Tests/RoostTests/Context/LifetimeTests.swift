import Foundation
import Roost
import RoostCore
import RoostTesting
import Testing

@Suite struct LifetimeTests {
  /// Whether an object is gone, after others' turns: a test that reads all contexts'
  /// notifications holds a context for a moment.
  private func isGone(_ object: () -> AnyObject?) async -> Bool {
    for _ in 0..<100_000 where object() != nil { await Task.yield() }
    return object() == nil
  }

  @Test func `models that refer to each other go with the last reference from outside`() throws {
    let context = try makePeople()
    try {
      let (boss, worker) = (Person(name: "boss"), Person(name: "worker"))
      worker.manager = boss
      boss.passport = Passport(number: "1")
      context.insert(worker)
      try context.save()
      #expect(boss.reports == [worker] && boss.passport?.holder === boss)
      // Edited again, and given up.
      worker.name = "changed"
      boss.reports = []
      context.rollback()
      #expect(boss.reports == [worker])
      context.delete(worker)
      try context.save()
    }()
    context.forgetRecentModels()
    #expect(context.liveModelCount == 0)
  }

  @Test func `models that were never inserted, or left the context, leave nothing behind`() throws {
    let context = try makePeople()
    try {
      let person = Person(name: "alone")
      context.insert(person)
      context.rollback()
      let other = Person(name: "other")
      context.insert(other)
      context.delete(other)
      try context.save()
      _ = Passport(number: "2")
    }()
    context.forgetRecentModels()
    #expect(context.liveModelCount == 0)
  }

  @Test func `a new model that nobody has looked at since it was linked goes with its context`() async throws {
    weak var store: Store?
    try {
      let context = try makeLibrary()
      store = context.container.store
      let author = Author(name: "Lack")
      context.insert(author)
      try context.save()
      _ = Book(title: "A", author: author)
    }()
    #expect(await isGone { store })
  }

  @Test func `a context and its container go while their models stay readable`() async throws {
    weak var container: ModelContainer?
    weak var context: ModelContext?
    let person = try {
      let made = try makePeople()
      (container, context) = (made.container, made)
      let person = Person(name: "Anna")
      made.insert(person)
      try made.save()
      return person
    }()
    #expect(await isGone { context })
    #expect(await isGone { container })
    #expect(person.name == "Anna" && person.modelContext == nil)
    withExtendedLifetime(person) {}
  }

  @Test func `what relationships referred to goes with its context`() async throws {
    weak var found: Person?
    try {
      let made = try makePeople()
      let passport = Passport(number: "1")
      made.insert(passport)
      passport.holder = Person(name: "Anna")
      try made.save()
      let context = ModelContext(made.container)
      let read = try #require(try context.fetch(FetchDescriptor<Passport>()).first)
      found = read.holder
      #expect(found?.name == "Anna")
    }()
    #expect(await isGone { found })
  }

  @Test func `a context keeps its container`() throws {
    weak var container: ModelContainer?
    let context = try {
      let made = try ModelContainer(for: Person.self, configurations: .init(isStoredInMemoryOnly: true))
      container = made
      return ModelContext(made)
    }()
    #expect(container === context.container)
  }

  @Test func `two hundred containers in memory live side by side`() throws {
    let contexts = try (0..<200).map { number in
      let context = try makePeople()
      context.insert(Person(name: "\(number)"))
      try context.save()
      return context
    }
    for (number, context) in contexts.enumerated() {
      #expect(try ModelContext(context.container).fetch(FetchDescriptor<Person>()).map(\.name) == ["\(number)"])
    }
  }
}
