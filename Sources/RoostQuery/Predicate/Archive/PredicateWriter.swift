internal import Foundation
import RoostCore

/// Turns a predicate into what is encoded.
final class PredicateWriter {
  private let configuration: PredicateCodableConfiguration
  private var numbers: [PredicateExpressions.VariableID: Int] = [:]

  init(_ configuration: PredicateCodableConfiguration) { self.configuration = configuration }

  /// The whole predicate.
  func archive(_ body: PredicateBody) throws -> ArchivedBody {
    try check(body)
    return try self.body(body)
  }

  private func body(_ body: PredicateBody) throws -> ArchivedBody {
    ArchivedBody(variables: body.variables.map { number($0) }, expression: try node(body.expression))
  }

  private func number(_ key: PredicateExpressions.VariableID) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = numbers.count
    return numbers.count - 1
  }

  /// Refuses what is too deep before anything asks for the names of its types, which are as deep.
  private func check(_ body: PredicateBody) throws {
    do { try PredicateDepth.check(body.expression) } catch {
      throw EncodingError.invalidValue(
        "a predicate",
        .init(codingPath: [], debugDescription: PredicateDepth.error.message, underlyingError: error))
    }
  }

  func node(_ node: any PredicateExpression) throws -> ArchivedNode {
    if let decoded = node as? any AnyExpression { return try self.node(decoded.wrapped) }
    let kind = String("\(Swift.type(of: node))".prefix { $0 != "<" })
    var archived = ArchivedNode(kind == "_LongKeyPath" ? "KeyPath" : kind)
    if let node = node as? any VariadicExpression {
      archived.inputs = try node.inputs.map { try self.node($0) }
      archived.bodies = try node.bodies.map { try body($0) }
      return archived
    }
    switch node {
    case let node as any ArchivableValue:
      archived.type = try type(node.outputType, node)
      archived.text = try node.json()
    case let node as any ArchivableCast:
      archived.type = try type(node.desiredType, node)
      archived.parts = try parts(node)
    case is any UnarchivableConstant:
      throw invalid(node, "A model belongs to its context: compare its persistentModelID.")
    case let node as any ArchivableMatch:
      archived.parts = try parts(node)
      archived.text = try JSONText.encode([node.query])
      archived.inputs = try node.properties.map { property in
        var archived = ArchivedNode("KeyPath")
        archived.text = try identifier(property)
        return archived
      }
    default: archived.parts = try parts(node)
    }
    for child in Mirror(reflecting: node).children {
      switch child.value {
      case let keyPath as AnyKeyPath: archived.text = try identifier(keyPath)
      case let key as PredicateExpressions.VariableID: archived.variable = number(key)
      case is PredicateExpressions.ComparisonOperator, is PredicateExpressions.ArithmeticOperator:
        archived.text = "\(child.value)"
      default: break
      }
    }
    return archived
  }

  /// The operands of a node that has no parameter pack.
  private func parts(_ node: any PredicateExpression) throws -> [String: ArchivedNode]? {
    var parts: [String: ArchivedNode] = [:]
    for child in Mirror(reflecting: node).children {
      if let label = child.label, let part = child.value as? any PredicateExpression {
        parts[label] = try self.node(part)
      }
    }
    return parts.isEmpty ? nil : parts
  }

  private func type(_ type: Any.Type, _ node: any PredicateExpression) throws -> ArchivedType {
    if let archived = ArchivedType(type, name: configuration.name) { return archived }
    throw invalid(node, "Values of the type `\(type)` are not allowed: call allowType(_:) of the configuration.")
  }

  private func identifier(_ keyPath: AnyKeyPath) throws -> String {
    if let identifier = configuration.identifier(of: keyPath) { return identifier }
    if let model = Swift.type(of: keyPath).rootType as? any PersistentModel.Type,
      let entity = SchemaInfo.standalone(model)?.entity(for: model)
    {
      // As generic code names the property, or the identifier.
      if let identifier = entity.property(for: keyPath).flatMap({ configuration.identifier(of: $0.keyPath) }) {
        return identifier
      }
      if entity.isIdentity(keyPath) { return ".persistentModelID" }
    }
    // In front of a name that needs no permission, so that no identifier is equal to it.
    let standard = standardPaths(of: Swift.type(of: keyPath).rootType).first { $0.path == keyPath }
    if let standard { return "." + standard.name }
    throw invalid(keyPath, "The key path is not allowed: call allowKeyPath(_:identifier:) of the configuration.")
  }

  /// With the type alone of a node that may have captured values in it.
  private func invalid(_ value: Any, _ message: String) -> EncodingError {
    let source = value is AnyKeyPath || value is any UnarchivableConstant ? value : Swift.type(of: value)
    return EncodingError.invalidValue(source, .init(codingPath: [], debugDescription: "\(message) (\(source))"))
  }
}

/// A captured value, kept as JSON whatever encodes the predicate.
private protocol ArchivableValue: PredicateExpression {
  var outputType: Any.Type { get }
  func json() throws -> String?
}

extension PredicateExpressions.Value: ArchivableValue {
  fileprivate var outputType: Any.Type { Output.self }

  fileprivate func json() throws -> String? {
    func open<Value: Encodable>(_ value: Value) throws -> String { try JSONText.encode([value]) }
    return try CodableTypes.encodable(value as Any).map { try open($0) }
  }
}

extension PredicateExpressions.NilLiteral: ArchivableValue {
  fileprivate var outputType: Any.Type { Wrapped.self }
  fileprivate func json() throws -> String? { nil }
}

extension _RegexConstant: ArchivableValue {
  fileprivate var outputType: Any.Type { PredicateExpressions.PredicateRegex.self }
  fileprivate func json() throws -> String? { try JSONText.encode([evaluate(PredicateBindings())]) }
}

private protocol ArchivableMatch: PredicateExpression {
  var properties: [any AnyKeyPath & Sendable] { get }
  var query: FullTextQuery { get }
}

extension _FullTextMatch: ArchivableMatch {}

private protocol ArchivableCast: PredicateExpression {
  var desiredType: Any.Type { get }
}

extension PredicateExpressions.ConditionalCast: ArchivableCast {
  fileprivate var desiredType: Any.Type { Desired.self }
}

extension PredicateExpressions.ForceCast: ArchivableCast {
  fileprivate var desiredType: Any.Type { Desired.self }
}

extension PredicateExpressions.TypeCheck: ArchivableCast {
  fileprivate var desiredType: Any.Type { Desired.self }
}

private protocol UnarchivableConstant {}

extension _ModelConstant: UnarchivableConstant {}
