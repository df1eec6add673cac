import Foundation
import RoostViews
import SwiftData
import SwiftUI

// What a program would write.

/// All titles, and why they may be old.
struct Titles: View {
  @Query(sort: \Note.title) private var notes: [Note]

  var body: some View {
    Text(notes.map(\.title).joined(separator: ", "))
    Text(_notes.fetchError.map { "\($0)" } ?? "no error")
  }
}

/// A view that is made anew with another query, as its surroundings say.
struct Ordered: View {
  @Query private var notes: [Note]

  init(minimum: Int = 0, by order: SortDescriptor<Note> = SortDescriptor(\.title)) {
    _notes = Query(filter: #Predicate { $0.stars >= minimum }, sort: [order])
  }

  var body: some View {
    Text(notes.map(\.title).joined(separator: ", "))
    Text(_notes.fetchError == nil ? "no error" : "failed")
  }
}

struct Topics: View {
  @Query(filter: #Predicate<Note> { $0.stars > 0 }, sort: \Note.stars, sectionBy: \Note.topic)
  private var topics: SectionedResults<Note, String>

  var body: some View {
    Text(topics.map { "\($0.title): \($0.map(\.title).joined())" }.joined(separator: ", "))
    Text(_topics.sections == topics ? "the same" : "others")
  }
}

/// How many notes there are: it reads nothing of them.
struct Counted: View {
  @Query private var notes: [Note]

  init(_ query: Query<Note, [Note]>) { _notes = query }

  var body: some View { Text("\(notes.count)") }
}

/// A view with a property of its own beside the query, by an initialiser that the compiler writes.
struct Named: View {
  let name: String
  @Query private var notes: [Note]
  @Environment(\.modelContext) private var modelContext

  var body: some View {
    Text("\(name): \(notes.count)")
    Text(_notes.modelContext == modelContext ? "the same context" : "another context")
  }
}
