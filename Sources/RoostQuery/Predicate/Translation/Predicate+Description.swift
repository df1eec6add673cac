public import Foundation
import RoostCore

// Foundation describes predicates of its own nodes alone, and ends the program at any other. Printing
// and string interpolation ask for these conformances before they ask for a description; only
// `description` itself is Foundation's.

extension Foundation.Predicate: @retroactive TextOutputStreamable {
  /// Writes the predicate about as it was written, with the values that it captured:
  /// `Predicate<Note> { $0.stars > 3 }`.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    var inputs: [String] = []
    for input in repeat (each Input).self { inputs.append("\(input)") }
    target.write("Predicate<\(inputs.joined(separator: ", "))> { ")
    target.write(Translator.description(of: expression, repeat each variable))
    target.write(" }")
  }
}

extension Foundation.Expression: @retroactive TextOutputStreamable {
  /// Writes the expression about as it was written, with the values that it captured.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    var types: [String] = []
    for input in repeat (each Input).self { types.append("\(input)") }
    types.append("\(Output.self)")
    target.write("Expression<\(types.joined(separator: ", "))> { ")
    target.write(Translator.description(of: expression, repeat each variable))
    target.write(" }")
  }
}

extension String {
  /// A predicate's text, as printing it gives.
  ///
  /// - Parameter predicate: of any nodes.
  public init<each Input>(describing predicate: Foundation.Predicate<repeat each Input>) { self = "\(predicate)" }

  /// An expression's text, as printing it gives.
  ///
  /// - Parameter expression: of any nodes.
  public init<each Input, Output>(describing expression: Foundation.Expression<repeat each Input, Output>) {
    self = "\(expression)"
  }
}

extension Translator {
  /// A body about as it was written: its variables are `$0`, `$1` and so on.
  fileprivate static func description<each Input>(
    of expression: some PredicateExpression, _ variable: repeat PredicateExpressions.Variable<each Input>
  ) -> String {
    let translator = Translator(tellsValues: true, isPending: { _ in false }) {
      SchemaInfo.standalone($0)?.entity(for: $0)
    }
    translator.sourceLimit = PredicateDepth.limit
    for variable in repeat each variable { translator.names[variable.key] = "$\(translator.names.count)" }
    return translator.source(expression)
  }
}
