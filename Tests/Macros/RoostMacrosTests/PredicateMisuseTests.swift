import Testing

@testable import RoostMacros

/// What cannot be part of a query is refused where it is written.
@Suite struct PredicateMisuseTests {
  /// Each predicate's body begins at column 20.
  @Test(arguments: [
    Misuse(
      "an unknown method", #"#Predicate<Note> { $0.title.lowercased() == "a" }"#,
      """
      1:20: 'lowercased' is not supported in a predicate; use caseInsensitiveCompare(_:) or \
      localizedStandardContains(_:), which ignore case
      """),
    Misuse(
      "a function of one's own", "#Predicate<Note> { isGood($0) }",
      "1:20: 'isGood' is not supported in a predicate; compute it before the predicate, or filter the fetched models"),
    Misuse(
      "interpolation", #"#Predicate<Note> { "\($0.count)" == text }"#,
      "1:20: string interpolation is not supported in a predicate; join strings with +"),
    Misuse(
      "a search for another property", "#Predicate<Note> { $0.body.matches($0.title) }",
      """
      1:36: the text to look for must be the same for all rows; use contains(_:) to compare properties
      """),
    Misuse(
      "identity", "#Predicate<Note> { $0.book === book }", "1:28: '===' is not supported in a predicate; use == instead"
    ),
    Misuse(
      "bits", "#Predicate<Note> { $0.flags & 1 == 1 }", "1:29: the operator '&' is not supported in a predicate"),
    Misuse(
      "a switch", "#Predicate<Note> { switch $0.kind { case .a: true; default: false } }",
      "1:20: 'switch' is not supported in a predicate; use if and else"),
    Misuse(
      "an if without else", "#Predicate<Note> { if $0.isOld { true } }", "1:20: 'if' needs an 'else' in a predicate"),
    Misuse(
      "a pattern", "#Predicate<Note> { if case .a = $0.kind { true } else { false } }",
      "1:20: only Boolean conditions and 'let' are supported in a predicate"),
    Misuse(
      "a loop", "#Predicate<Note> { for tag in $0.tags { return true }; return false }",
      "1:20: only let, guard, if and return are supported in a predicate"),
    Misuse(
      "a variable", "#Predicate<Note> { var a = $0.count; return a > 1 }",
      "1:20: only constants with a value (let name = …) are supported in a predicate"),
    Misuse(
      "a tuple", "#Predicate<Note> { ($0.a, $0.b) == (1, 2) }",
      "1:20: a tuple is not supported in a predicate; compare its elements one by one"),
    Misuse(
      "a function value", "#Predicate<Note> { $0.tags.contains(where: isGood) && $0.isOld }",
      "1:44: 'contains' needs a closure written in place in a predicate"),
    Misuse(
      "what is not stored", "#Predicate<Note> { $0.stars > 1 && $0.modelContext == nil }",
      "1:39: 'modelContext' is not stored, and a query knows only what is; filter the fetched models"),
    Misuse("nothing", "#Predicate<Note> { }", "1:18: a predicate's closure and branches need an expression"),
    Misuse("no closure", "#Predicate<Note>(body)", "1:1: #Predicate takes one closure, written in place"),
    Misuse(
      "two mistakes", "#Predicate<Note> {\n  $0.a.foo() ||\n  $0.b.bar()\n}",
      "2:3: 'foo' is not supported in a predicate; compute it before the predicate, or filter the fetched models",
      "3:3: 'bar' is not supported in a predicate; compute it before the predicate, or filter the fetched models"),
  ])
  func `what SQL cannot say is refused`(misuse: Misuse) {
    expectReports(misuse)
  }

  @Test(arguments: [
    "#Predicate", "#Predicate<>", "#Predicate {", "#Predicate { $0. }", "#Predicate { $0.a == }", "#Predicate { == }",
    "#Predicate { if }", "#Predicate { if let = $0.a {} else {} }", "#Predicate { guard let a else }",
    "#Predicate { ($0.a, }", "#Predicate { let }", "#Predicate { let (a, b) = $0.c; return a }", "#Predicate { $0? }",
    "#Predicate { $0?.? }", "#Predicate { $0.a[] }", "#Predicate { $0.a.contains() }", "#Predicate { a, b, c in }",
    "#Predicate { () in true }", "#Predicate { $0.a ? }", "#Predicate { $0.a.contains { } }", "#Predicate { \\.a }",
    "#Predicate { $0.a.filter(\\.b?.c[0]).count > 1 }", "#Predicate { $0.a +++ $0.b }", "#Predicate { $999999999999 }",
    "#Predicate { $0.a = 1 }", "#Predicate { try $0.a }", "#Predicate { { $0 }($0) }", "#Predicate { $0 } after: { }",
    "#Predicate { \"\\($0\" }", "#Predicate { return }", "#Predicate { $0.a as }", "#Predicate { $0.`self` }",
  ])
  func `source that is not Swift does not crash`(source: String) {
    _ = Expander(source)
  }
}
