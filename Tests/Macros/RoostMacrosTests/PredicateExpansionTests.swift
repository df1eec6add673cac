import Testing

@testable import RoostMacros

/// What `#Predicate` makes of a closure's body, one statement a line.
@Suite struct PredicateExpansionTests {
  struct Form: CustomTestStringConvertible, Sendable {
    let source: String
    let statements: [String]
    var testDescription: String { source }

    init(_ source: String, _ statements: String...) {
      self.source = source
      self.statements = statements
    }
  }

  @Test(arguments: comparisons + optionals + collections + conditions + statements)
  func `each operator becomes a statement`(form: Form) {
    let expansion = Expander("#Predicate<Note> { \(form.source) }")
    #expect(expansion.reports == [])
    #expect(Self.statements(of: expansion.text) == form.statements)
  }

  @Test func `an expression differs in its first line only`() {
    let expansion = Expander("#Expression<Note, Int> { note in note.count }")
    #expect(
      expansion.text == """
        Roost._PredicateBuilder.expression { _1 in
          let _2 = Roost._PredicateBuilder.keyPath(_1, \\.count)
          return _2
        }
        """)
  }

  @Test func `names of the user's are not hidden`() {
    let expansion = Expander("#Predicate<Note> { $0.count == _2 }")
    #expect(expansion.text.contains("let __2 = "))
    #expect(expansion.text.contains("value: _2)"))
  }

  @Test func `several models make several parameters`() {
    let expansion = Expander("#Predicate<Note, Tag> { $0.title == $1.name }")
    #expect(expansion.text.hasPrefix("Roost._PredicateBuilder.predicate { _1, _2 in\n"))
  }

  @Test func `a hundred clauses expand`() {
    let clauses = Array(repeating: "$0.count > 1", count: 100).joined(separator: " && ")
    let expansion = Expander("#Predicate<Note> { \(clauses) }")
    #expect(expansion.reports == [])
    #expect(expansion.text.contains("let _300 = "))
  }

  /// The lines between the outermost braces, without their common indentation and the builder's name.
  private static func statements(of text: String) -> [String] {
    text.split(separator: "\n").dropFirst().dropLast().map { line in
      var line = String(line.dropFirst(2))
      while let range = line.firstRange(of: "Roost._PredicateBuilder.") { line.replaceSubrange(range, with: "B.") }
      return line
    }
  }
}
