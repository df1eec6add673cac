public import Foundation

/// A node of ours. `StandardPredicateExpression` asks for `Codable`, but a node outside Foundation cannot take part
/// in Foundation's archive of a `Predicate`: both directions throw. `PredicateCodableConfiguration` is ours.
@_documentation(visibility: private)
public protocol _UnarchivableExpression: StandardPredicateExpression {}

extension _UnarchivableExpression {
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "\(Self.self) has no part in an archive of Foundation."))
  }

  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      .init(codingPath: encoder.codingPath, debugDescription: "\(Self.self) has no part in an archive of Foundation."))
  }
}
