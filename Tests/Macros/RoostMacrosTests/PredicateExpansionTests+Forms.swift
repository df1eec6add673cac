extension PredicateExpansionTests {
  static let comparisons = [
    Form("true", #"return B.value(true)"#),
    Form("flag || $0.isOld", #"let _2 = B.keyPath(_1, \.isOld)"#, "let _3 = B.or(value: flag, _2)", "return _3"),
    Form(
      #"$0.title == "a" + suffix"#,
      #"let _2 = B.keyPath(_1, \.title)"#, #"let _3 = B.equal(_2, value: "a" + suffix)"#, "return _3"),
    Form(
      "3 < $0.count && $0.kind != .a",
      #"let _2 = B.keyPath(_1, \.count)"#, "let _3 = B.compare(value: 3, _2, .lessThan)",
      #"let _4 = B.keyPath(_1, \.kind)"#, "let _5 = B.notEqual(_4, value: .a)", "let _6 = B.and(_3, _5)", "return _6"),
    Form(
      "-$0.count * 2 >= limit / 2",
      #"let _2 = B.keyPath(_1, \.count)"#, "let _3 = B.negate(_2)", "let _4 = B.multiply(_3, value: 2)",
      "let _5 = B.compare(_4, value: limit / 2, .greaterThanOrEqual)", "return _5"),
    Form(
      "!(\n  $0.isOld // a remark\n)", #"let _2 = B.keyPath(_1, \.isOld)"#, "let _3 = B.not(_2)", "return _3"),
    Form(
      "($0.any as? Int) == 1",
      #"let _2 = B.keyPath(_1, \.any)"#, "let _3 = B.conditionalCast(_2, to: (Int).self)",
      "let _4 = B.equal(_3, value: 1)", "return _4"),
    Form(
      "$0.owner is Admin", #"let _2 = B.keyPath(_1, \.owner)"#, "let _3 = B.typeCheck(_2, is: (Admin).self)",
      "return _3"),
    Form(
      "$0.body.matches(.prefix(text))", #"let _2 = B.keyPath(_1, \.body)"#,
      "let _3 = B.matches(_2, value: .init(.prefix(text)))", "return _3"),
    Form("$0.matches(text)", "let _2 = B.matches(_1, value: .init(text))", "return _2"),
    Form("other.evaluate($0)", "let _2 = B.evaluate(value: other, _1)", "return _2"),
  ]

  static let optionals = [
    Form("nil == $0.body", #"let _2 = B.keyPath(_1, \.body)"#, "let _3 = B.isNil(_2)", "return _3"),
    Form("$0.body != nil", #"let _2 = B.keyPath(_1, \.body)"#, "let _3 = B.isNotNil(_2)", "return _3"),
    Form(
      #"($0.body ?? "") == "a""#,
      #"let _2 = B.keyPath(_1, \.body)"#, #"let _3 = B.coalesce(_2, value: "")"#, #"let _4 = B.equal(_3, value: "a")"#,
      "return _4"),
    Form(
      "$0.body! == text",
      #"let _2 = B.keyPath(_1, \.body)"#, "let _3 = B.unwrap(_2)", "let _4 = B.equal(_3, value: text)", "return _4"),
    Form(
      "$0.book?.owner?.name == text",
      #"let _2 = B.keyPath(_1, \.book)"#,
      "let _3 = B.flatMap(_2) { _4 in",
      #"  let _5 = B.keyPath(_4, \.owner)"#,
      "  let _6 = B.flatMap(_5) { _7 in",
      #"    let _8 = B.keyPath(_7, \.name)"#,
      "    return B.optional(_8)",
      "  }",
      "  return B.optional(_6)",
      "}",
      "let _9 = B.equal(_3, value: text)", "return _9"),
  ]

  static let collections = [
    Form(
      "(1...5).contains($0.count)",
      #"let _2 = B.keyPath(_1, \.count)"#, "let _3 = B.contains(value: (1...5), _2)", "return _3"),
    Form(
      "($0.low..<$0.high).contains(5)",
      #"let _2 = B.keyPath(_1, \.low)"#, "let _3 = B.compare(_2, value: 5, .lessThanOrEqual)",
      #"let _4 = B.keyPath(_1, \.high)"#, "let _5 = B.compare(value: 5, _4, .lessThan)", "let _6 = B.and(_3, _5)",
      "return _6"),
    Form(
      "names.filter { $0.count > 1 }.contains($0.title)",
      #"let _2 = B.keyPath(_1, \.title)"#, "let _3 = B.contains(value: names.filter { $0.count > 1 }, _2)",
      "return _3"),
    Form(
      "$0.title.starts(with: text)",
      #"let _2 = B.keyPath(_1, \.title)"#, "let _3 = B.starts(_2, withValue: text)", "return _3"),
    Form(
      "$0.tags.contains { $0.name == text }",
      #"let _2 = B.keyPath(_1, \.tags)"#,
      "let _3 = B.contains(_2) { _4 in",
      #"  let _5 = B.keyPath(_4, \.name)"#,
      "  let _6 = B.equal(_5, value: text)",
      "  return _6",
      "}",
      "return _3"),
    Form(
      #"$0.tags.filter(\.isOld).count > 1"#,
      #"let _2 = B.keyPath(_1, \.tags)"#,
      "let _3 = B.filter(_2) { _4 in",
      #"  let _5 = B.keyPath(_4, \.isOld)"#,
      "  return _5",
      "}",
      #"let _6 = B.keyPath(_3, \.count)"#, "let _7 = B.compare(_6, value: 1, .greaterThan)", "return _7"),
    Form(
      #"$0.values["a", default: 0] == 1"#,
      #"let _2 = B.keyPath(_1, \.values)"#, #"let _3 = B.element(_2, value: "a", default: 0)"#,
      "let _4 = B.equal(_3, value: 1)", "return _4"),
  ]

  static let conditions = [
    Form(
      "$0.isOld ? $0.count > 1 : false",
      #"let _2 = B.keyPath(_1, \.isOld)"#, #"let _3 = B.keyPath(_1, \.count)"#,
      "let _4 = B.compare(_3, value: 1, .greaterThan)", "let _5 = B.conditional(_2, _4, value: false)", "return _5"),
    Form(
      "if let body = $0.body, flag { body == text } else { $0.isOld }",
      #"let _2 = B.keyPath(_1, \.body)"#,
      "let _3 = B.flatMap(_2) { _4 in",
      "  let _5 = B.equal(_4, value: text)",
      "  let _6 = B.some(_5)",
      "  let _7 = B.when(B.value(flag), _6)",
      "  return _7",
      "}",
      #"let _8 = B.keyPath(_1, \.isOld)"#, "let _9 = B.coalesce(_3, _8)", "return _9"),
  ]

  static let statements = [
    Form(
      "let count = $0.count\nlet limit = most + 1\nreturn count < limit",
      #"let _2 = B.keyPath(_1, \.count)"#, "let limit = most + 1", "let _3 = B.compare(_2, value: limit, .lessThan)",
      "return _3"),
    Form(
      "guard $0.isOld else { return false }\nreturn $0.count > 1",
      #"let _2 = B.keyPath(_1, \.isOld)"#, #"let _3 = B.keyPath(_1, \.count)"#,
      "let _4 = B.compare(_3, value: 1, .greaterThan)", "let _5 = B.conditional(_2, _4, value: false)", "return _5"),
  ]
}
