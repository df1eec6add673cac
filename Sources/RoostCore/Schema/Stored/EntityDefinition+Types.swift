import Foundation

// What the names that a file has for types mean.
extension EntityDefinition.Property {
  /// What is in front of the type of values that may be in files.
  static let externalMarker = "external "

  /// Whether large values are in files beside the store.
  package var isExternal: Bool { type?.hasPrefix(Self.externalMarker) ?? false }

  /// The type of the values, wherever they are; nil for relationships, and where the file does not tell.
  package var valueType: String? { isExternal ? type.map { String($0.dropFirst(Self.externalMarker.count)) } : type }

  /// What an attribute's column is declared as; of one that may name files, what its values are.
  package var columnType: _ColumnType {
    if isExternal { return valueType == "Data" ? .blob : .text }
    return _ColumnType(rawValue: kind) ?? .text
  }

  /// Whether it refers to models.
  package var isRelationship: Bool { destination != nil }

  /// Whether it refers to at most one.
  package var isToOne: Bool { kind == "to-one" }

  /// How a column of that kind is read and written, whatever its values mean.
  package var codec: any _AttributeCodec.Type {
    func codec<Value: _NativeValue>(_ type: Value.Type) -> any _AttributeCodec.Type {
      isOptional ? _OptionalCodec<_Native<Value>>.self : _Native<Value>.self
    }
    return switch columnType {
    case .integer: codec(Int64.self)
    case .real: codec(Double.self)
    case .text: codec(String.self)
    case .blob: codec(Data.self)
    }
  }
}

/// The types that have names of their own in files.
package enum DescribedType {
  private static let natives: [any _NativeValue.Type] = [
    Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
    Float.self, Double.self, String.self, Date.self, Data.self, UUID.self, URL.self, Decimal.self,
  ]

  private static let byName = Dictionary(
    natives.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })

  private static func name<Value: _NativeValue>(_ type: Value.Type) -> String {
    ValueTypeName.name(of: _Native<Value>.self)
  }

  /// The type of that name, or for an enum that of its raw values; nil for what only the program knows.
  package static func type(named name: String) -> (any _NativeValue.Type)? {
    byName[name.hasPrefix("raw ") ? String(name.dropFirst(4)) : name]
  }
}
