package import RoostEngine
import RoostSQL

/// A new property's value, made of a row's old ones.
package struct Computation: Sendable {
  package var sources: [PropertyPath]
  package let target: PropertyPath
  package let body: @Sendable (inout ComputedRow) throws -> Void

  init(
    target: PropertyPath, sources: [PropertyPath] = [], _ body: @escaping @Sendable (inout ComputedRow) throws -> Void
  ) {
    self.target = target
    self.sources = sources
    self.body = body
  }
}

/// A new model made of some of a row's values.
package struct Extraction: Sendable {
  package var sources: [PropertyPath] = []
  package var targets: [PropertyPath] = []
  package let relationship: PropertyPath

  init(relationship: PropertyPath) { self.relationship = relationship }
}

/// The values of one row, on their way from an SQL function's arguments through a program's closure.
package struct ComputedRow {
  let arguments: FunctionArguments
  let sources: [any _AttributeCodec.Type]
  let target: any _AttributeCodec.Type
  /// The arguments in front of the values: the step's number and the row's key.
  static let leading = 2
  private var position = 0
  package private(set) var result = DatabaseValue.null

  package init(_ arguments: FunctionArguments, sources: [any _AttributeCodec.Type], target: any _AttributeCodec.Type) {
    self.arguments = arguments
    self.sources = sources
    self.target = target
  }

  /// The next argument, as the type that its property has.
  mutating func next<Value>(_ type: Value.Type) throws -> Value {
    if let value = nextPlain(type) { return value }
    let value = SQLValue(arguments.value(position + Self.leading))
    let codec = sources[position]
    position += 1
    func decode<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Value? { codec.decode(value) as? Value }
    guard let decoded = decode(codec) else {
      throw DatabaseError(
        code: DatabaseError.mismatch, message: "what is stored is no \(Value.self)")
    }
    return decoded
  }

  /// The same for the types that rows mostly have, without looking up what their codecs are.
  private mutating func nextPlain<Value>(_ type: Value.Type) -> Value? {
    let (codec, place) = (sources[position], position + Self.leading)
    if type == Int.self, codec == _Native<Int>.self, arguments.type(place) == .integer {
      position += 1
      // SAFETY: `Value` is `Int`.
      return unsafeBitCast(Int(arguments.int64(place)), to: type)
    }
    if type == String.self, codec == _Native<String>.self, arguments.type(place) == .text {
      position += 1
      // SAFETY: `Value` is `String`.
      return unsafeBitCast(arguments.string(place), to: type)
    }
    return nil
  }

  /// Writes one of several values, each of which is offered in turn.
  mutating func write<Value>(_ value: Value, _ type: Value.Type, if index: Int, is position: inout Int) throws {
    if position == index { try write(value, type) }
    position += 1
  }

  mutating func write<Value>(_ value: Value, _ type: Value.Type) throws {
    if type == String.self, target == _Native<String>.self {
      // SAFETY: `Value` is `String`.
      result = .text(unsafeBitCast(value, to: String.self))
      return
    }
    if type == Int.self, target == _Native<Int>.self {
      // SAFETY: `Value` is `Int`.
      result = .integer(Int64(unsafeBitCast(value, to: Int.self)))
      return
    }
    func encode<Codec: _AttributeCodec>(_ codec: Codec.Type) throws -> SQLValue? {
      try (value as? Codec.Value).map { try codec.encode($0) }
    }
    guard let encoded = try encode(target) else {
      throw DatabaseError(code: DatabaseError.mismatch, message: "what it returns is no value of the new property")
    }
    result = DatabaseValue(encoded)
  }
}
