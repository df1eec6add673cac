import SwiftIfConfig
import Testing

@Suite struct ModelMisuseTests {
  @Test(arguments: classes) func `a declaration that cannot be a model is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: names) func `a name that a model needs itself is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: declarations) func `a property that cannot persist is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: types) func `a type that cannot be stored is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test func `a refused property is left out, and the rest is expanded`() {
    let expansion = Expander("@Model final class Note {\n  let id: Int\n  var title: String\n}")
    #expect(expansion.text.contains("@RoostDeclarations._PersistedProperty(0)\n  var title: String"))
    #expect(!expansion.text.contains("_$marker_id"))
  }

  @Test(arguments: [
    "static var shared = 1", "class var shared: Int { 1 }", "var shout: String { name }",
    "var both: Int { get { 1 } set {} }", "subscript(i: Int) -> Int { i }", "func f() {}", "func _name(of i: Int) {}",
    "static func _name() {}",
    "@Transient var scratch = 0", "@Transient lazy var slow = 0", "@Transient weak var owner: Note?",
    "@Transient let constant = 1", "@Transient var seen = 0 { didSet {} }",
    "#if DEBUG\n  func f() {}\n  var shout: String { name }\n  #endif", "@MainActor func g() {}",
    "#if DEBUG\n  @available(*, deprecated)\n  #endif\n  var old: Int",
    "@available(*, deprecated) var old: Int", "enum Kind { case a }", "var id: Int",
    #"@Attribute(.transformable(by: "T")) var pair: (Int, Int)"#, "@Transient var shout: String { name }",
    "@Transient var both: Int { get { 1 } set {} }", "@Transient static var shared: Int { 1 }", "var isDeleted = false",
    "var hasChanges: Bool { false }", "var modelContext: Int { 1 }", "@Transient var isDeleted = false",
    "@Relationship(deleteRule: .cascade) var cast: [Character] = []", "@Relationship var calendar: Calendar?",
    "@Relationship var sheet: Ledger.Data?",
  ])
  func `what is right is not reported`(declaration: String) {
    #expect(Expander("@Model final class Note {\n  var name: String\n  \(declaration)\n}").reports == [])
  }

  @Test(arguments: [VersionTuple(5), nil])
  func `a let persists where the compiler may give it accessors`(mode: VersionTuple?) {
    let expansion = Expander("@Model final class Note {\n  @Attribute(.unique) let id: UUID\n}", mode: mode)
    #expect(expansion.reports == [])
    #expect(expansion.text.contains("_PersistedProperty(0) let id: UUID"))
    // What makes a model of another's values sets it all the same.
    #expect(expansion.text.contains("$0._id.assign($1).apply(to: $0, 0)"))
  }

  @Test func `a computed property in an extension may say that it is transient`() {
    #expect(Expander("extension Note {\n  @Transient var shout: String { name }\n}").reports == [])
    #expect(!Expander("extension Note {\n  @Attribute var shout: String { name }\n}").reports.isEmpty)
  }

  @Test(arguments: [
    "@Model final class {", "@Model final class Note { var }", "@Model final class Note { var a: }",
    "@Model final class Note { var a = }", "@Model final class Note { let (a, }", "@Model", "@Model class Note: {}",
    "@Model final class Note { #Unique }", "@Model final class Note { #Index<>([)] }", "@Model final class Note { @ }",
    "@Model final class Note { @Attribute( var a: Int }", "@Attribute", "@ModelActor actor", "@Model final class `` {}",
    "@Model final class Note { var ``: Int }", "@Model final class Note { var a: ( }", "@Relationship() var a, : ?",
    "@_PersistedProperty() var a: Int", "class A { @_PersistedProperty(,) var a }", "@Transient let",
    "@Model final class Note { var a: Optional<> ; var b: Array<>; var c: ()? }",
  ])
  func `source that is not Swift does not crash`(source: String) {
    _ = Expander(source)
  }
}
