/// The name of a function. Only names written in source code can be one, so that no data becomes SQL text.
package struct SQLFunction: Hashable, Sendable {
  package let name: String

  package init(_ name: StaticString) { self.name = name.description }
}

extension SQLFunction {
  package static let absolute = SQLFunction("abs")
  package static let average = SQLFunction("avg")
  package static let coalesce = SQLFunction("coalesce")
  package static let count = SQLFunction("count")
  package static let hex = SQLFunction("hex")
  package static let ifNull = SQLFunction("ifnull")
  package static let instr = SQLFunction("instr")
  package static let jsonEach = SQLFunction("json_each")
  package static let jsonExtract = SQLFunction("json_extract")
  package static let length = SQLFunction("length")
  package static let maximum = SQLFunction("max")
  package static let minimum = SQLFunction("min")
  package static let random = SQLFunction("random")
  package static let round = SQLFunction("round")
  package static let sum = SQLFunction("sum")
  package static let total = SQLFunction("total")
  package static let typeOf = SQLFunction("typeof")
  package static let upper = SQLFunction("upper")
}

/// The name of a collation, written in source code.
package struct SQLCollation: Hashable, Sendable {
  package let name: String

  package init(_ name: StaticString) { self.name = name.description }

  /// Byte by byte, SQLite's default.
  package static let binary = SQLCollation("BINARY")
  package static let noCase = SQLCollation("NOCASE")
}

/// A declared column type, one of those a STRICT table takes.
package enum SQLType: String, Hashable, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
  case any = "ANY"
}
