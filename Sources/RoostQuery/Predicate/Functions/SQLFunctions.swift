import RoostCore
package import RoostEngine
internal import RoostSQL

/// Adds to a connection the functions and collations that translated predicates and sort descriptors call.
///
/// They serve queries only: nothing in a schema refers to them, so that any tool can read and write the file.
package func registerRoostFunctions(on connection: Connection) {
  connection.addCollation("roost_unicode") { UnicodeText.compare($0, $1) }
  connection.addCollation("roost_decimal") { DecimalText.compare($0, $1) }
  for order: any TextOrder.Type in [LocalizedOrder.self, LocalizedStandardOrder.self] {
    connection.addCollation(order.collation.name) { order.compare($0, $1) }
  }
  addStringFunctions(to: connection)
  addRegexFunctions(to: connection)
  addNumericFunctions(to: connection)
  addJSONFunctions(to: connection)
  addAggregates(to: connection)
  addCalendarFunctions(to: connection)
}

/// Adds a function of NULL-free arguments; of NULL it makes NULL.
func addStrictFunction(
  _ name: String, arguments: Int32, to connection: Connection,
  _ body: @escaping @Sendable (FunctionArguments) throws -> DatabaseValue
) {
  connection.addFunction(name, arguments: arguments, isDeterministic: true) { values in
    for index in 0..<Int(arguments) where values.isNull(index) { return .null }
    return try body(values)
  }
}
