/// A node of a predicate as it is encoded.
struct ArchivedNode: Codable {
  /// The node's type without its parameters.
  var kind: String
  /// Its operands, by the names that they have in the node.
  var parts: [String: ArchivedNode]?
  /// What the captured predicates or expressions of the node are given.
  var inputs: [ArchivedNode]?
  /// What these are.
  var bodies: [ArchivedBody]?
  /// An operator, the identifier of a key path, or a value as JSON.
  var text: String?
  /// The type of a value, or the one that is cast to.
  var type: ArchivedType?
  /// A variable's number.
  var variable: Int?

  init(_ kind: String) { self.kind = kind }
}

/// A predicate or an expression: its variables by number, and what it computes.
struct ArchivedBody: Codable {
  var variables: [Int]
  var expression: ArchivedNode
}

/// A type by the name that a configuration has for it, or one made of others.
struct ArchivedType: Codable {
  var name: String
  var of: [ArchivedType]?
}
