internal import Foundation
import RoostCore

extension PredicateReader {
  static let strings: [String: Make] = [
    "_HasPrefix": { try _HasPrefix(base: $0.string($1, "base"), other: $0.string($1, "other")) },
    "_HasSuffix": { try _HasSuffix(base: $0.string($1, "base"), other: $0.string($1, "other")) },
    "_LocalizedStandardContains": {
      try _LocalizedStandardContains(base: $0.string($1, "base"), other: $0.string($1, "other"))
    },
    "_CaseInsensitiveCompare": {
      try _CaseInsensitiveCompare(base: $0.string($1, "base"), other: $0.string($1, "other"))
    },
    "_LocalizedCompare": { try _LocalizedCompare(base: $0.string($1, "base"), other: $0.string($1, "other")) },
    "_FullTextMatch": { reader, archived in
      let base = try reader.operand(archived, "base")
      func open<Model: PersistentModel>(_ type: Model.Type) throws -> Node {
        let properties = try (archived.inputs ?? []).map { try reader.find($0.text ?? "", in: type).anySendable }
        return try _FullTextMatch(
          base: reader.decoded(base, as: type), properties: properties,
          query: reader.json(FullTextQuery.self, archived))
      }
      return try open(reader.requirement((any PersistentModel.Type).self, output(of: base), archived))
    },
    "_StringConcatenation": { try _StringConcatenation(lhs: $0.string($1, "lhs"), rhs: $0.string($1, "rhs")) },
    "StringContainsRegex": { reader, archived in
      try Nodes.StringContainsRegex(
        subject: reader.string(archived, "subject"),
        regex: reader.operand(archived, "regex", as: PredicateExpressions.PredicateRegex.self))
    },
  ]

  private func string(_ archived: ArchivedNode, _ name: String) throws -> _AnyExpression<String> {
    try operand(archived, name, as: String.self)
  }
}
