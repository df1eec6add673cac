import Foundation
import RoostViews
import SwiftData
import SwiftUI
import Testing

// Every form of `@Query`, and so every initialiser of `Query`, to which the macro hands what it is given.

private struct EveryForm: View {
  @Query private var all: [Note]
  @RoostViews.Query() private var allToo: [Note]
  @Query(animation: .default) private var allAnimated: [Note]
  @Query(transaction: Transaction()) private var allInTransaction: [Note]
  @Query(sort: \Note.title) private var list0: [Note]
  @Query(sort: \Note.rank, order: .reverse) private var list1: [Note]
  @Query(
    filter: #Predicate<Note> { $0.stars > 1 }, sort: \Note.title, order: .reverse,
    transaction: Transaction(animation: .linear))
  private var list2: [Note]
  @Query(filter: #Predicate<Note> { $0.stars > 1 }, sort: \Note.rank, transaction: Transaction(animation: .linear))
  private var list3: [Note]
  @Query(sort: \Note.title, animation: .default) private var list4: [Note]
  @Query(filter: #Predicate<Note> { $0.stars > 1 }, sort: \Note.rank, animation: .default) private var list5: [Note]
  @Query(sort: [SortDescriptor(\Note.stars, order: .reverse)]) private var list6: [Note]
  @Query(filter: #Predicate<Note> { $0.stars > 1 }, transaction: Transaction(animation: .linear))
  private var list7: [Note]
  @Query(filter: #Predicate<Note> { $0.stars > 1 }, sort: [SortDescriptor(\Note.title)], animation: .default)
  private var list8: [Note]
  @Query(Note.byTitle) private var list9: [Note]
  @Query(Note.byTitle, transaction: Transaction(animation: .linear)) private var list10: [Note]
  @Query(Note.byTitle, animation: .default) private var list11: [Note]

  let look: ([[Note]]) -> Void

  var body: some View {
    let _ = look([all, allToo, allAnimated, allInTransaction])
    let _ = look([
      list0, list1, list2, list3, list4, list5, list6, list7, list8, list9, list10, list11,
    ])
    Text("")
  }
}

private struct EverySectionedForm: View {
  @Query(sort: \Note.title, sectionBy: \Note.topic) private var list0: SectionedResults<Note, String>
  @Query(sort: \Note.rank, order: .reverse, sectionBy: \Note.topic) private var list1: SectionedResults<Note, String>
  @Query(sort: \Note.title, transaction: Transaction(animation: .linear), sectionBy: \Note.topic)
  private var list2: SectionedResults<Note, String>
  @Query(sort: \Note.rank, transaction: Transaction(animation: .linear), sectionBy: \Note.topic)
  private var list3: SectionedResults<Note, String>
  @Query(sort: \Note.title, animation: .default, sectionBy: \Note.topic)
  private var list4: SectionedResults<Note, String>
  @Query(sort: \Note.rank, animation: .default, sectionBy: \Note.topic)
  private var list5: SectionedResults<Note, String>
  @Query(sort: [SortDescriptor(\Note.title)], sectionBy: \Note.topic) private var list6: SectionedResults<Note, String>
  @Query(
    filter: #Predicate<Note> { $0.stars > 0 }, transaction: Transaction(animation: .linear), sectionBy: \Note.topic)
  private var list7: SectionedResults<Note, String>
  @Query(sort: [SortDescriptor(\Note.title)], animation: .default, sectionBy: \Note.topic)
  private var list8: SectionedResults<Note, String>
  @Query(Note.byTitle, sectionBy: \Note.topic) private var list9: SectionedResults<Note, String>
  @Query(Note.byTitle, transaction: Transaction(animation: .linear), sectionBy: \Note.topic)
  private var list10: SectionedResults<Note, String>
  @Query(Note.byTitle, animation: .default, sectionBy: \Note.topic) private var list11: SectionedResults<Note, String>

  let look: ([SectionedResults<Note, String>]) -> Void

  var body: some View {
    let _ = look([
      list0, list1, list2, list3, list4, list5, list6, list7, list8, list9, list10, list11,
    ])
    Text("")
  }
}

private struct EveryOptionalSectionedForm: View {
  @Query(sort: \Note.title, sectionBy: \Note.place) private var list0: SectionedResults<Note, String>
  @Query(sort: \Note.rank, order: .reverse, sectionBy: \Note.place) private var list1: SectionedResults<Note, String>
  @Query(sort: \Note.title, transaction: Transaction(animation: .linear), sectionBy: \Note.place)
  private var list2: SectionedResults<Note, String>
  @Query(sort: \Note.rank, transaction: Transaction(animation: .linear), sectionBy: \Note.place)
  private var list3: SectionedResults<Note, String>
  @Query(sort: \Note.title, animation: .default, sectionBy: \Note.place)
  private var list4: SectionedResults<Note, String>
  @Query(sort: \Note.rank, animation: .default, sectionBy: \Note.place)
  private var list5: SectionedResults<Note, String>
  @Query(sort: [SortDescriptor(\Note.title)], sectionBy: \Note.place) private var list6: SectionedResults<Note, String>
  @Query(
    filter: #Predicate<Note> { $0.stars > 0 }, transaction: Transaction(animation: .linear), sectionBy: \Note.place)
  private var list7: SectionedResults<Note, String>
  @Query(sort: [SortDescriptor(\Note.title)], animation: .default, sectionBy: \Note.place)
  private var list8: SectionedResults<Note, String>
  @Query(Note.byTitle, sectionBy: \Note.place) private var list9: SectionedResults<Note, String>
  @Query(Note.byTitle, transaction: Transaction(animation: .linear), sectionBy: \Note.place)
  private var list10: SectionedResults<Note, String>
  @Query(Note.byTitle, animation: .default, sectionBy: \Note.place) private var list11: SectionedResults<Note, String>

  let look: ([SectionedResults<Note, String>]) -> Void

  var body: some View {
    let _ = look([
      list0, list1, list2, list3, list4, list5, list6, list7, list8, list9, list10, list11,
    ])
    Text("")
  }
}

extension Note {
  fileprivate static var byTitle: FetchDescriptor<Note> { FetchDescriptor(sortBy: [SortDescriptor(\.title)]) }
}

@Suite @MainActor final class EveryFormTests {
  private let container: ModelContainer
  private var lists: [[Note]] = []
  private var sections: [SectionedResults<Note, String>] = []

  init() throws { container = try Notes().container }

  @Test func `every form finds what it asks for`() {
    _ = Screen { EveryForm { self.lists += $0 }.modelContainer(self.container) }
    #expect(lists.prefix(4).map { Set($0.map(\.title)) } == Array(repeating: ["Ants", "Swifts"], count: 4))
    #expect(
      lists.dropFirst(4).map { $0.map(\.title) } == [
        ["Ants", "Swifts"], ["Swifts", "Ants"], ["Swifts"], ["Swifts"],
        ["Ants", "Swifts"], ["Swifts"], ["Swifts", "Ants"], ["Swifts"],
        ["Swifts"], ["Ants", "Swifts"], ["Ants", "Swifts"], ["Ants", "Swifts"],
      ])
  }

  @Test func `every form with sections of a string finds them`() {
    _ = Screen { EverySectionedForm { self.sections = $0 }.modelContainer(self.container) }
    #expect(sections.map(\.sectionTitles) == Array(repeating: ["birds", "insects"], count: 12))
    #expect(sections.allSatisfy { $0.map { $0.map(\.title) } == [["Swifts"], ["Ants"]] })
  }

  @Test func `every form with sections of a string that may be nil finds them`() {
    _ = Screen { EveryOptionalSectionedForm { self.sections = $0 }.modelContainer(self.container) }
    #expect(sections.map(\.sectionTitles) == Array(repeating: ["", "Rome"], count: 12))
    #expect(sections.allSatisfy { $0.map { $0.map(\.title) } == [["Ants"], ["Swifts"]] })
  }
}
