import Testing

@Suite struct AttributeMisuseTests {
  @Test(arguments: places) func `an attribute in the wrong place is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: meanings) func `an attribute that makes no sense for its property is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: constraints) func `a constraint that names no properties is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: actors) func `a model actor has to be an actor`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: [
    #"#Unique<Note>([\.a], [\.a, \.b])"#, #"#Unique<Library.Note>([\.a])"#, #"#Unique([\Note.a])"#,
    #"#Index<Note>([\.a])"#, #"#Index<Note>(.binary([\.a]), .rtree([\.a, \.b]))"#, #"#Unique<Self>([\.a])"#,
    #"#FullText<Note>([\.a], [\.b, \.c], tokenizer: .porter)"#, "@Attribute(.fullText) var text: String?",
    "@Relationship var notes: [Note]", "@Relationship(.unique) var note: Note?", "@Relationship var note: Note",
    "@Attribute(.unique) var key: String", "@Attribute(.unique) var owner: Note?", "@SwiftData.Attribute() var b: Int",
    "@Attribute(.externalStorage) var blob: [Int]", "@Transient var seen: Int?", "@Transient var seen: Optional<Int>",
  ])
  func `what is right is not reported`(declaration: String) {
    #expect(Expander("@Model final class Note {\n  \(declaration)\n}").reports == [])
  }
}
