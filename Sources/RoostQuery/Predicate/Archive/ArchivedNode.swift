import RoostCore

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

  private enum CodingKeys: String, CodingKey { case kind, parts, inputs, bodies, text, type, variable }

  init(from decoder: any Decoder) throws {
    // A decoder need not bound how deep its input nests, and each level takes a part of the stack.
    guard PredicateDepth.hasRoom(at: decoder.codingPath.count) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: PredicateDepth.error.message, underlyingError: PredicateDepth.error))
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(String.self, forKey: .kind)
    parts = try values.decodeIfPresent([String: ArchivedNode].self, forKey: .parts)
    inputs = try values.decodeIfPresent([ArchivedNode].self, forKey: .inputs)
    bodies = try values.decodeIfPresent([ArchivedBody].self, forKey: .bodies)
    text = try values.decodeIfPresent(String.self, forKey: .text)
    type = try values.decodeIfPresent(ArchivedType.self, forKey: .type)
    variable = try values.decodeIfPresent(Int.self, forKey: .variable)
  }

  func encode(to encoder: any Encoder) throws {
    guard PredicateDepth.hasRoom(at: encoder.codingPath.count) else {
      throw EncodingError.invalidValue(
        kind,
        .init(codingPath: [], debugDescription: PredicateDepth.error.message, underlyingError: PredicateDepth.error))
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encodeIfPresent(parts, forKey: .parts)
    try values.encodeIfPresent(inputs, forKey: .inputs)
    try values.encodeIfPresent(bodies, forKey: .bodies)
    try values.encodeIfPresent(text, forKey: .text)
    try values.encodeIfPresent(type, forKey: .type)
    try values.encodeIfPresent(variable, forKey: .variable)
  }
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
