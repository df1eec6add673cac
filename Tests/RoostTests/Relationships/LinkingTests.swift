import Foundation
import Roost
import Testing

@Suite struct LinkingTests {
  @Test(arguments: [false, true])
  func `setting the one side puts the model on the many side`(isInserted: Bool) throws {
    let context = try makePeople()
    let (boss, worker) = (Person(name: "boss"), Person(name: "worker"))
    if isInserted {
      context.insert(boss)
      context.insert(worker)
    }
    worker.manager = boss
    #expect(boss.reports.map(\.name) == ["worker"])
    worker.manager = nil
    #expect(boss.reports.isEmpty)
  }

  @Test(arguments: [false, true])
  func `adding to the many side sets the one side and leaves the former one`(isInserted: Bool) throws {
    let context = try makePeople()
    let (first, second, worker) = (Person(name: "1"), Person(name: "2"), Person(name: "worker"))
    if isInserted { [first, second, worker].forEach { context.insert($0) } }
    first.reports.append(worker)
    #expect(worker.manager === first)
    second.reports = [worker]
    #expect(worker.manager === second)
    #expect(first.reports.isEmpty)
    second.reports.removeAll()
    #expect(worker.manager == nil)
  }

  @Test(arguments: [false, true])
  func `a one-to-one relationship leaves both former partners`(isInserted: Bool) throws {
    let context = try makePeople()
    let (anna, ben) = (Person(name: "Anna"), Person(name: "Ben"))
    let (old, new) = (Passport(number: "old"), Passport(number: "new"))
    if isInserted {
      context.insert(anna)
      context.insert(ben)
      context.insert(old)
      context.insert(new)
    }
    anna.passport = old
    ben.passport = new
    #expect(old.holder === anna)
    anna.passport = new
    #expect(new.holder === anna)
    #expect(old.holder == nil)
    #expect(ben.passport == nil)
    old.holder = ben
    #expect(ben.passport === old)
  }

  @Test(arguments: [false, true])
  func `a model is in a list once, at its first place`(isInserted: Bool) throws {
    let container = try ModelContainer(
      for: LinkedPair.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (author, tag) = (Author(name: "Lack"), Tag(name: "birds"))
    let (first, second) = (Book(title: "A"), Book(title: "B"))
    if isInserted {
      context.insert(author)
      context.insert(tag)
    }
    author.books = [first, second, first]
    author.books.append(second)
    tag.books = [first, first]
    #expect(author.books == [first, second] && tag.books == [first] && first.tags == [tag])
    context.insert(author)
    let pair = LinkedPair(books: [second, second])
    context.insert(pair)
    try context.save()
    #expect(author.books == [first, second] && tag.books == [first] && pair.books == [second])
  }

  @Test func `a new model that is given stored and new ones leaves its former ones`() throws {
    let context = try makePeople()
    let (stored, boss) = (Person(name: "stored"), Person(name: "boss"))
    [stored, boss].forEach { context.insert($0) }
    try context.save()
    let (new, added, left) = (Person(name: "new"), Person(name: "added"), Person(name: "left"))
    new.reports = [left]
    new.manager = left
    new.reports = [stored, added, left]
    new.reports = [stored, added]
    new.manager = boss
    #expect(added.manager === new && stored.manager === new && new.reports == [stored, added])
    #expect(left.manager == nil && left.reports.isEmpty && boss.reports == [new])
    try context.save()
    let found = try ModelContext(context.container).fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.filter { $0.name != "left" }.map { $0.manager?.name } == ["new", nil, "boss", "new"])
  }

  @Test(arguments: [false, true])
  func `a set of models is a relationship as an array is`(isInserted: Bool) throws {
    let context = ModelContext(
      try ModelContainer(for: LinkedSet.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let set = LinkedSet(name: "a")
    let members = (0..<4).map { LinkedMember(name: "\($0)") }
    if isInserted { context.insert(set) }
    set.members = Set(members)
    set.guests = [members[0]]
    #expect(members.allSatisfy { $0.set === set } && members[0].host === set)
    set.members.remove(members[0])
    set.members.insert(LinkedMember(name: "4"))
    #expect(members[0].set == nil)
    context.insert(set)
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<LinkedSet>()).first)
    #expect(found.members.map(\.name).sorted() == ["1", "2", "3", "4"] && found.guests?.map(\.name) == ["0"])
    let of4 = FetchDescriptor<LinkedSet>(predicate: #Predicate { $0.members.contains { $0.name == "4" } })
    #expect(try other.fetchCount(of4) == 1)
    found.guests = nil
    found.members = []
    try other.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<LinkedMember>()).allSatisfy { $0.set == nil })
  }

  @Test(arguments: [false, true])
  func `a set keeps the members that the program calls equal to one that stays`(isInserted: Bool) throws {
    let container = try ModelContainer(
      for: StickerSheet.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let sheet = StickerSheet()
    if isInserted { context.insert(sheet) }
    let stickers = ["a", "a", "b"].map { Sticker(kind: $0) }
    for sticker in stickers { sticker.sheet = sheet }
    #expect(sheet.stickers.count == 2)
    sheet.stickers.insert(Sticker(kind: "c"))
    #expect(stickers.allSatisfy { $0.sheet === sheet })
    context.insert(sheet)
    try context.save()
    func kinds() throws -> [String] {
      try ModelContext(container).fetch(FetchDescriptor<Sticker>()).filter { $0.sheet != nil }.map(\.kind).sorted()
    }
    #expect(try kinds() == ["a", "a", "b", "c"])
    sheet.stickers.remove(stickers[1])
    #expect(stickers.map { $0.sheet == nil } == [true, true, false])
    try context.save()
    #expect(try kinds() == ["b", "c"])
  }

  @Test func `assigning to many that were not read lets the former ones go`() throws {
    let context = try makeLibrary()
    let author = Author(name: "Lack")
    author.books = [Book(title: "A"), Book(title: "B")]
    context.insert(author)
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    found.books = [Book(title: "C")]
    try other.save()
    let third = ModelContext(context.container)
    #expect(try third.fetch(FetchDescriptor<Author>()).first?.books.map(\.title) == ["C"])
    #expect(try third.fetchCount(FetchDescriptor<Book>(predicate: #Predicate { $0.author == nil })) == 2)
  }

  @Test func `members that are read late include what was linked, moved and unlinked meanwhile`() throws {
    let context = try makeLibrary()
    let (lack, bromhall) = (Author(name: "Lack"), Author(name: "Bromhall"))
    lack.books = [Book(title: "A"), Book(title: "B"), Book(title: "C")]
    lack.books[0].tags = [Tag(name: "birds"), Tag(name: "towers")]
    context.insert(lack)
    context.insert(bromhall)
    try context.save()
    let other = ModelContext(context.container)
    let books = try other.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    let authors = try other.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
    books[0].author = authors[0]
    books[1].author = nil
    other.insert(Book(title: "D", author: authors[1]))
    let bees = Tag(name: "bees")
    bees.books.append(books[0])
    #expect(authors[0].books.map(\.title) == ["A"])
    #expect(authors[1].books.map(\.title) == ["C", "D"])
    #expect(Set(books[0].tags.map(\.name)) == ["birds", "towers", "bees"])
  }

  @Test(arguments: [false, true])
  func `many-to-many relationships stay in step`(isInserted: Bool) throws {
    let context = try makeLibrary()
    let (book, other) = (Book(title: "A"), Book(title: "B"))
    let (birds, bees) = (Tag(name: "birds"), Tag(name: "bees"))
    if isInserted {
      context.insert(book)
      context.insert(other)
      context.insert(birds)
      context.insert(bees)
    }
    book.tags = [birds, bees]
    birds.books.append(other)
    #expect(birds.books.map(\.title) == ["A", "B"])
    #expect(other.tags.map(\.name) == ["birds"])
    book.tags.removeFirst()
    #expect(birds.books.map(\.title) == ["B"])
    if !isInserted { context.insert(book) }
    try context.save()
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Tag>())
    let pairs = stored.flatMap { tag in tag.books.map { "\(tag.name) \($0.title)" } }
    #expect(pairs.sorted() == (isInserted ? ["bees A", "birds B"] : ["bees A"]))
  }

  @Test func `an initialiser that refers to a model links it at once`() throws {
    let author = Author(name: "Lack")
    let book = Book(title: "A", author: author)
    #expect(author.books.first === book)
  }

  @Test func `moves between stored owners are seen by another context`() throws {
    let context = try makePeople()
    let (first, second, worker) = (Person(name: "1"), Person(name: "2"), Person(name: "worker"))
    [first, second, worker].forEach { context.insert($0) }
    worker.manager = first
    try context.save()
    second.reports.append(worker)
    try context.save()
    let other = ModelContext(context.container)
    let people = try other.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map { $0.reports.map(\.name) } == [[], ["worker"], []])
    #expect(people[2].manager === people[1])
  }
}

@Model private final class LinkedPair {
  @Relationship(inverse: nil) var books: [Book]

  init(books: [Book]) { self.books = books }
}

@Model private final class LinkedSet {
  var name: String
  @Relationship(inverse: \LinkedMember.set) var members: Set<LinkedMember> = []
  @Relationship(inverse: \LinkedMember.host) var guests: Set<LinkedMember>?

  init(name: String) { self.name = name }
}

@Model private final class LinkedMember {
  var name: String
  var set: LinkedSet?
  var host: LinkedSet?

  init(name: String) { self.name = name }
}

@Model private final class StickerSheet {
  @Relationship(inverse: \Sticker.sheet) var stickers: Set<Sticker> = []

  init() {}
}

/// Equal, to the program, to all of its kind.
@Model private final class Sticker: Hashable {
  var kind: String
  var sheet: StickerSheet?

  init(kind: String) { self.kind = kind }

  static func == (left: Sticker, right: Sticker) -> Bool { left.kind == right.kind }
  func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
