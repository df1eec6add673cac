internal import Foundation
import RoostCore

extension PredicateReader {
  static let values: [String: Make] = [
    "KeyPath": { try $0.keyPath($1) },
    "Value": { reader, archived in
      func open<Value: Codable>(_ type: Value.Type) throws -> Node { try Nodes.Value(reader.json(type, archived)) }
      return try open(reader.requirement((any Codable.Type).self, reader.type(archived), archived))
    },
    "NilLiteral": { reader, archived in
      func open<Wrapped>(_ type: Wrapped.Type) -> Node { Nodes.NilLiteral<Wrapped>() }
      return try _openExistential(reader.type(archived), do: open)
    },
    "_RegexConstant": { try _RegexConstant($0.json(PredicateExpressions.PredicateRegex.self, $1)) },
    "ConditionalCast": { reader, archived in
      let input = try reader.operand(archived, "input")
      func open<Desired>(_ type: Desired.Type) throws -> Node {
        func open<Input: StandardPredicateExpression>(_ input: Input) -> Node {
          Nodes.ConditionalCast<Input, Desired>(input)
        }
        return open(input)
      }
      return try _openExistential(reader.type(archived), do: open)
    },
    "ForceCast": { reader, archived in
      let input = try reader.operand(archived, "input")
      func open<Desired>(_ type: Desired.Type) throws -> Node {
        func open<Input: StandardPredicateExpression>(_ input: Input) -> Node { Nodes.ForceCast<Input, Desired>(input) }
        return open(input)
      }
      return try _openExistential(reader.type(archived), do: open)
    },
    "TypeCheck": { reader, archived in
      let input = try reader.operand(archived, "input")
      func open<Desired>(_ type: Desired.Type) throws -> Node {
        func open<Input: StandardPredicateExpression>(_ input: Input) -> Node { Nodes.TypeCheck<Input, Desired>(input) }
        return open(input)
      }
      return try _openExistential(reader.type(archived), do: open)
    },
  ]

  func json<Value: Decodable>(_ type: Value.Type, _ archived: ArchivedNode) throws -> Value {
    guard let text = archived.text, let value = try JSONText.decode([Value].self, from: text).first else {
      throw corrupt("A value is missing.")
    }
    return value
  }

  private func keyPath(_ archived: ArchivedNode) throws -> Node {
    let root = try operand(archived, "root")
    func open<Root>(_ type: Root.Type) throws -> Node {
      let decoded = try self.decoded(root, as: type)
      guard let keyPath = try find(archived.text ?? "", in: type) as? PartialKeyPath<Root> else {
        throw corrupt("`\(archived.text ?? "")` is no property of `\(type)`.")
      }
      func open<Value>(_ type: Value.Type) throws -> Node {
        guard let keyPath = keyPath as? Swift.KeyPath<Root, Value> else { throw corrupt("A key path has no value.") }
        return decoded.followed(by: keyPath.assumedSendable)
      }
      return try _openExistential(Swift.type(of: keyPath).valueType, do: open)
    }
    return try _openExistential(Self.output(of: root), do: open)
  }

  func find(_ identifier: String, in root: Any.Type) throws -> AnyKeyPath {
    if identifier.first == ".", let standard = standardPaths(of: root).first(where: { ".\($0.name)" == identifier }) {
      return standard.path
    }
    if let keyPath = configuration.keyPath(identifier) { return keyPath }
    throw corrupt("The key path `\(identifier)` is not allowed.")
  }
}
