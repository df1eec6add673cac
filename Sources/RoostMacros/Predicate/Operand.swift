/// What a sub-expression became.
enum Operand {
  /// A predicate node, by the name of its constant in the expansion.
  case node(String)
  /// An expression that does not depend on the model, as the user wrote it.
  case value(String)
  case nilLiteral

  /// As an argument without a label: values become nodes of their own.
  var asNode: String {
    switch self {
    case .node(let name): name
    case .value(let text): "\(builderName).value(\(text))"
    case .nilLiteral: "\(builderName).nilLiteral()"
    }
  }

  /// As an argument that may be a node or a value, told apart by the label.
  var asArgument: String {
    switch self {
    case .node(let name): name
    case .value(let text): "value: \(text)"
    case .nilLiteral: "value: nil"
    }
  }

  var isNode: Bool {
    if case .node = self { true } else { false }
  }
}

/// The namespace of the functions that make the nodes.
let builderName = "Roost._PredicateBuilder"
