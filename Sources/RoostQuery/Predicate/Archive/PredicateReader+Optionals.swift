internal import Foundation
import RoostCore

extension PredicateReader {
  static let optionals: [String: Make] = [
    "NilCoalesce": { reader, archived in
      let right = try reader.operand(archived, "rhs")
      func open<Wrapped>(_ type: Wrapped.Type) throws -> Node {
        try Nodes.NilCoalesce(
          lhs: reader.operand(archived, "lhs", as: Wrapped?.self), rhs: reader.decoded(right, as: type))
      }
      return try _openExistential(output(of: right), do: open)
    },
    "_OptionalCoalesce": { reader, archived in
      let right = try reader.operand(archived, "rhs")
      func open<Wrapped>(_ type: Wrapped.Type) throws -> Node {
        try _OptionalCoalesce(
          lhs: reader.operand(archived, "lhs", as: Wrapped?.self),
          rhs: reader.decoded(right, as: Wrapped?.self))
      }
      return try _openExistential(reader.wrapped(right, archived), do: open)
    },
    "_OptionalPromotion": { reader, archived in
      func open<Wrapped: StandardPredicateExpression>(_ node: Wrapped) -> Node { _OptionalPromotion(node) }
      return try open(reader.operand(archived, "wrapped"))
    },
    "ForcedUnwrap": { reader, archived in
      let inner = try reader.operand(archived, "inner")
      func open<Wrapped>(_ type: Wrapped.Type) throws -> Node {
        try Nodes.ForcedUnwrap(reader.decoded(inner, as: Wrapped?.self))
      }
      return try _openExistential(reader.wrapped(inner, archived), do: open)
    },
    "OptionalFlatMap": { reader, archived in
      let wrapped = try reader.operand(archived, "wrapped")
      func open<Wrapped>(_ type: Wrapped.Type) throws -> Node {
        try reader.flatMap(reader.decoded(wrapped, as: Wrapped?.self), archived)
      }
      return try _openExistential(reader.wrapped(wrapped, archived), do: open)
    },
  ]

  private func flatMap<Wrapped>(_ node: _AnyExpression<Wrapped?>, _ archived: ArchivedNode) throws -> Node {
    // What the closure results in is known when it was read, and it is read again with the node's own variable.
    let result = try resultType(archived, Wrapped.self)
    func open<Result>(_ type: Result.Type) throws -> Node {
      try closure(archived, as: Result?.self) {
        Nodes.OptionalFlatMap<_, Wrapped, _AnyExpression<Result?>, Result>(node, $0)
      }
    }
    func openPlain<Result>(_ type: Result.Type) throws -> Node {
      try closure(archived, as: Result.self) {
        Nodes.OptionalFlatMap<_, Wrapped, _AnyExpression<Result>, Result>(node, $0)
      }
    }
    if let optional = result as? any AnyOptionalType.Type {
      return try _openExistential(optional.wrappedType, do: open)
    }
    return try _openExistential(result, do: openPlain)
  }

  /// What is inside an optional.
  private func wrapped(_ node: Node, _ archived: ArchivedNode) throws -> Any.Type {
    try requirement((any AnyOptionalType.Type).self, Self.output(of: node), archived).wrappedType
  }
}
