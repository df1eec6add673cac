import Foundation
import Roost
import RoostTesting
import Testing

/// Models with names of their own that Roost's protocol has too.
@Suite struct OwnNamesTests {
  private func makeContext() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: TrashedNote.self, Draft.self, EqualPage.self, configurations: .init(isStoredInMemoryOnly: true)))
  }

  @Test func `a stored isDeleted is a property as any other`() throws {
    let context = try makeContext()
    for (title, isDeleted) in [("a", true), ("b", false), ("c", true)] {
      context.insert(TrashedNote(title: title, isDeleted: isDeleted))
    }
    try context.save()
    let other = ModelContext(context.container)
    let trashed = try other.fetch(
      FetchDescriptor<TrashedNote>(
        predicate: #Predicate { $0.isDeleted && !$0.hasChanges }, sortBy: [SortDescriptor(\.title, order: .reverse)]))
    #expect(trashed.map(\.title) == ["c", "a"])
    #expect(
      try other.fetch(FetchDescriptor<TrashedNote>(sortBy: [SortDescriptor(\.isDeleted), SortDescriptor(\.title)]))
        .map(\.title) == ["b", "a", "c"])
    #expect(trashed.first?.snapshot().isDeleted == true)
    trashed.first?.isDeleted = false
    #expect(other.hasChanges)
    try other.save()
    #expect(try context.fetchCount(FetchDescriptor<TrashedNote>(predicate: #Predicate { $0.isDeleted })) == 1)
  }

  @Test func `what is called deleted is not, and what is deleted goes`() throws {
    let context = try makeContext()
    let (kept, gone) = (TrashedNote(title: "kept", isDeleted: true), TrashedNote(title: "gone", isDeleted: false))
    let draft = Draft(note: kept)
    for model in [kept, gone] { context.insert(model) }
    context.insert(draft)
    try context.save()
    kept.hasChanges = true
    context.delete(gone)
    #expect(!gone.isDeleted && (gone as any PersistentModel).isDeleted)
    #expect(!(kept as any PersistentModel).isDeleted)
    try context.enumerate(FetchDescriptor<TrashedNote>()) { #expect($0 === kept) }
    try context.save()
    #expect(draft.note === kept)
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<TrashedNote>()).map(\.title) == ["kept"])
  }

  @Test func `computed ones are the program's, and change nothing for Roost`() throws {
    let context = try makeContext()
    let draft = Draft(note: nil)
    context.insert(draft)
    try context.save()
    #expect(draft.isDeleted && draft.hasChanges && draft.modelContext == "mine")
    draft.text = "edited"
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Draft>()).map(\.text) == ["edited"])
    let copy = draft.snapshot()
    draft.text = "again"
    try draft.apply(copy)
    #expect(draft.text == "edited")
  }

  @Test func `a fetch by Roost's own flags throws and says so`() throws {
    let context = try makeContext()
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.fetch(FetchDescriptor<EqualPage>(predicate: #Predicate { $0.isDeleted }))
    }
  }

  @Test @MainActor func `results are observed by identity, whatever the program calls equal`() async throws {
    let context = try makeContext()
    let (first, second) = (EqualPage(number: 1), EqualPage(number: 2))
    context.insert(first)
    context.insert(second)
    try context.save()
    #expect(first == second)
    let observer = try ResultsObserver(
      fetchDescriptor: FetchDescriptor<EqualPage>(predicate: #Predicate { $0.isOpen }), sectionBy: \.chapter,
      modelContext: context)
    first.isOpen = true
    await waitUntilTold(context.container)
    #expect(observer.results.map(\.number) == [1])
    // One instead of the other, in one section of one model as before.
    first.isOpen = false
    second.isOpen = true
    await waitUntilTold(context.container)
    #expect(observer.results.map(\.number) == [2])
    #expect(observer.sections?.first?.map(\.number) == [2])
  }
}

@Model final class TrashedNote {
  var title: String
  var isDeleted: Bool
  var hasChanges = false

  init(title: String, isDeleted: Bool) {
    self.title = title
    self.isDeleted = isDeleted
  }
}

@Model final class Draft {
  var text = ""
  var note: TrashedNote?
  var isDeleted: Bool { true }
  var hasChanges: Bool { true }
  var modelContext: String { "mine" }

  init(note: TrashedNote?) { self.note = note }
}

/// All of them are equal to the program.
@Model final class EqualPage: Hashable {
  var number: Int
  var isOpen = false
  var chapter = "one"

  init(number: Int) { self.number = number }

  static func == (left: EqualPage, right: EqualPage) -> Bool { left.chapter == right.chapter }
  func hash(into hasher: inout Hasher) { hasher.combine(chapter) }
}
