public import RoostSQL

/// Values that a transformer makes the stored form of.
@_documentation(visibility: private)
public enum _TransformerCodec<Transformer: AttributeTransformer>: _AttributeCodec {
  public typealias Value = Transformer.Value
  public static var columnType: _ColumnType { Transformer.Stored._columnType }
  public static var isOptional: Bool { false }
  public static var semantics: _ColumnSemantics { .transformed }
  public static func decode(_ value: SQLValue) -> Value? {
    Transformer.Stored._decode(value).flatMap { try? Transformer.value($0) }
  }
  public static func encode(_ value: Value) throws -> SQLValue { try Transformer.stored(value)._encode() }
  public static var placeholder: Value? {
    Transformer.placeholder
      ?? Placeholder.examples.lazy.compactMap { try? Transformer.value(.example($0)) }.first
  }
  public static func refusal(_ value: SQLValue) -> (any Error)? {
    guard let stored = Transformer.Stored._decode(value) else { return nil }
    do {
      _ = try Transformer.value(stored)
      return nil
    } catch {
      return error
    }
  }
}

/// The same for a transformer that is known by its name: by the time a container is made, and not before.
@_documentation(visibility: private)
public enum _NamedTransformerCodec<Name: _TransformerName, Value>: _AttributeCodec {
  private static var codec: any _AttributeCodec.Type {
    func open<Transformer: AttributeTransformer>(_ type: Transformer.Type) -> any _AttributeCodec.Type {
      _TransformerCodec<Transformer>.self
    }
    return TransformerNames.transformer(Name.name).map { open($0) } ?? UnknownTransformer.self
  }

  public static var columnType: _ColumnType { codec.columnType }
  public static var isOptional: Bool { false }
  public static var semantics: _ColumnSemantics { .transformed }
  public static func decode(_ value: SQLValue) -> Value? {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Value? { codec.decode(value) as? Value }
    return open(codec)
  }
  public static func encode(_ value: Value) throws -> SQLValue {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) throws -> SQLValue {
      guard let value = value as? Codec.Value else { throw UnknownTransformer.failure }
      return try codec.encode(value)
    }
    return try open(codec)
  }
  public static var placeholder: Value? {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Value? { codec.placeholder as? Value }
    return open(codec)
  }
  public static func refusal(_ value: SQLValue) -> (any Error)? { codec.refusal(value) }
}

/// What stands for a transformer whose name nobody registered. No container is made with one.
private enum UnknownTransformer: _AttributeCodec {
  static var columnType: _ColumnType { .blob }
  static var isOptional: Bool { false }
  static var semantics: _ColumnSemantics { .transformed }
  static func decode(_ value: SQLValue) -> Void? { nil }
  static func encode(_ value: Void) throws -> SQLValue { throw failure }
  static var placeholder: Void? { nil }

  static var failure: UnstorableValue { UnstorableValue("The transformer is for values of another type.") }
}

/// A codec that finds its transformer by name.
protocol NamedTransformerCodec {
  /// Why the name is of no use; nil when it is.
  static var problem: String? { get }
}

extension _NamedTransformerCodec: NamedTransformerCodec {
  static var problem: String? {
    func values<Transformer: AttributeTransformer>(_ type: Transformer.Type) -> any Any.Type { Transformer.Value.self }
    guard let transformer = TransformerNames.transformer(Name.name) else {
      return "No transformer is registered as \"\(Name.name)\"."
    }
    let type = values(transformer)
    return type == Value.self ? nil : "The transformer \"\(Name.name)\" is for values of the type \(type)."
  }
}
