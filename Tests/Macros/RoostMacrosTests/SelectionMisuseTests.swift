import Testing

@Suite struct SelectionMisuseTests {
  @Test(arguments: structs) func `a selection is a struct of typed properties`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: places) func `what cannot be selected is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  private static func selection(
    _ name: String, _ declaration: String, _ message: String, fixes: [String: String] = [:]
  ) -> Misuse {
    func source(_ declaration: String) -> String { "@Selection(of: Note.self) struct Line {\n  \(declaration)\n}" }
    return Misuse(name, source(declaration), message, fixes: fixes.mapValues(source))
  }

  static let structs = [
    Misuse(
      "a class", "@Selection(of: Note.self) final class Line {\n  var title: String\n}",
      "1:1: @Selection needs a struct, not a class: what is selected are values"),
    Misuse(
      "a model in a variable", "@Selection(of: model) struct Line {\n  var title: String\n}",
      "1:1: @Selection needs the type of a model, written out: '@Selection(of: Note.self)'"),
    selection(
      "nothing to select", "var title = \"\"", "1:34: @Selection struct 'Line' has no property to select"),
    selection("a type that must be guessed", "var title", "2:7: selected property 'title' needs a type"),
    selection(
      "several at once", "var a, b: Int", "2:7: a @Selection struct needs one declaration a property",
      fixes: ["declare each property on its own": "var a: Int\n  var b: Int"]),
    selection(
      "a pattern", "var (a, b): (Int, Int)",
      "2:7: a selected property cannot be declared by a pattern; declare each on its own"),
  ]

  static let places = [
    Misuse(
      "elsewhere", "struct Line {\n  @Select(.count) var count: Int\n}",
      "2:3: @Select belongs on a stored property of a @Selection struct"),
    selection(
      "a constant with a value", "@Select(.count) let count: Int = 3",
      "2:36: 'count' has its value already; remove the value, or @Select"),
    selection(
      "a computed property", "var title: String\n  @Select(.count) var count: Int { 1 }",
      "3:3: a computed property is not selected; remove @Select",
      fixes: ["remove @Select": "var title: String\n  var count: Int { 1 }"]),
    selection(
      "a static property", "var title: String\n  @Select(.count) static var count = 1",
      "3:3: a static property is not selected; remove @Select",
      fixes: ["remove @Select": "var title: String\n  static var count = 1"]),
    selection(
      "twice", "@Select(.count) @Select(\\Note.stars) var count: Int",
      "2:19: a property is one value; remove one @Select",
      fixes: ["remove @Select": "@Select(.count) var count: Int"]),
  ]
}
