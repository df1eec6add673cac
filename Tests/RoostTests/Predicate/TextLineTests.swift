import Foundation
import Roost
import Testing

/// Texts of several lines, where case does not count.
@Suite struct TextLineTests {
  private let context: ModelContext
  private let subjects: [Subject]

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Subject.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    subjects = ["One\nTwo", "One\tTwo\n", "One\r\nTwo", "\nOne Two"].map { text in
      let subject = Subject()
      subject.text = text
      return subject
    }
    for subject in subjects { context.insert(subject) }
    try context.save()
  }

  private func texts(_ predicate: Predicate<Subject>) throws -> Set<String> {
    Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.text))
  }

  @Test(arguments: [
    "E\nt", "e\tT", "tWo", "Two\n", "\n", "\t", "\nONE", "\n\n", "e\r\nt", "\r", "\r\n", "e t", "one\ntwo",
    "ONE\ttwo\n", "one\ttwo", "one\r\ntwo", "\none two", "One\nTwo and more",
  ]) func `SQL and memory agree about tabs and ends of lines`(part: String) throws {
    for predicate in [
      #Predicate<Subject> { $0.text.localizedStandardContains(part) },
      #Predicate<Subject> { $0.text.caseInsensitiveCompare(part) == .orderedSame },
    ] {
      let expected = try subjects.filter { try predicate.evaluate($0) }.map(\.text)
      #expect(try texts(predicate) == Set(expected))
    }
  }

  @Test func `tabs and ends of lines are characters like others`() throws {
    #expect(try texts(#Predicate { $0.text.localizedStandardContains("TWO") }).count == 4)
    #expect(try texts(#Predicate { $0.text.localizedStandardContains("e\nt") }) == ["One\nTwo"])
    #expect(try texts(#Predicate { $0.text.localizedStandardContains("E\tt") }) == ["One\tTwo\n"])
    #expect(try texts(#Predicate { $0.text.localizedStandardContains("e t") }) == ["\nOne Two"])
    #expect(
      try texts(#Predicate { $0.text.caseInsensitiveCompare("one\ttwo\n") == .orderedSame }) == ["One\tTwo\n"])
  }
}
