import Testing

@Suite struct QueryExpansionTests {
  @Test func `a view's property reads the query beside it, which gets the arguments`() {
    let expansion = Expander(
      #"""
      struct Notes: View {
        @Query(sort: \Note.title, animation: .default) private var notes: [Note]
      }
      """#)
    #expect(
      expansion.text == #"""
        struct Notes: View {
          private var notes: [Note] {
          get { _notes.wrappedValue }
          }

          private(set) var _notes: Query<_, [Note]> = .init(sort: \Note.title, animation: .default)
        }
        """#)
  }

  @Test(arguments: [
    ("@Query var a: [Note]", "private(set) var _a: Query<_, [Note]> = .init()"),
    ("@Query() public var a: Array<Note>", "private(set) var _a: Query<_, Array<Note>> = .init()"),
    ("@Query var `default`: [Note]", "private(set) var _default: Query<_, [Note]> = .init()"),
    (
      #"@Query(Note.all, sectionBy: \Note.topic) var a: SectionedResults<Note, String>"#,
      #"private(set) var _a: Query<_, SectionedResults<Note, String>> = .init(Note.all, sectionBy: \Note.topic)"#
    ),
  ])
  func `the query has the property's type, whatever the modifiers are`(property: String, query: String) {
    let text = Expander("struct Notes: View {\n  \(property)\n}").text
    #expect(text.contains("  \(query)\n"), "\(text)")
  }

  @Test(arguments: misuses) func `what cannot have a query is refused once`(misuse: Misuse) {
    expectReports(misuse)
  }

  private static func inView(_ name: String, _ declaration: String, _ message: String) -> Misuse {
    Misuse(name, "struct Notes: View {\n  \(declaration)\n}", message)
  }

  private static let needsVariable =
    "@Query belongs on a stored 'var' of a view, such as '@Query private var notes: [Note]'"

  static let misuses = [
    inView("a constant", "@Query let notes: [Note]", "2:3: \(needsVariable)"),
    inView("a static property", "@Query static var notes: [Note]", "2:3: \(needsVariable)"),
    inView("a computed property", "@Query var notes: [Note] { [] }", "2:3: \(needsVariable)"),
    inView("a function", "@Query func notes() {}", "2:3: \(needsVariable)"),
    inView("a pattern", "@Query var (a, b): ([Note], [Note])", "2:3: \(needsVariable)"),
    inView(
      "no type", "@Query(sort: \\Note.title) var notes",
      "2:33: 'notes' needs a type: an array of models, or SectionedResults where the query has sections"),
    inView(
      "a value", "@Query var notes: [Note] = []", "2:28: 'notes' has its value from the query; remove this one"),
  ]
}
