/// Turns the values of an attribute into what is stored, and back.
///
/// ```swift
/// enum ColorTransformer: AttributeTransformer {
///   static func stored(_ value: Color) -> String { value.hexadecimal }
///   static func value(_ stored: String) throws -> Color { try Color(hexadecimal: stored) }
/// }
///
/// @Attribute(.transformable(by: ColorTransformer.self)) var color: Color
/// ```
/// Queries cannot ask for such attributes. An optional property stores nil as NULL; the transformer never meets it.
public protocol AttributeTransformer: SendableMetatype {
  /// The type of the property's values: any type, `Codable` or not.
  associatedtype Value
  /// What a column holds: a number, a string, a date, `Data` or the like.
  associatedtype Stored: _NativeValue

  /// What is stored for a value. When it throws, the save fails and names the property.
  static func stored(_ value: Value) throws -> Stored

  /// The value that was stored. When it throws, so does the fetch, naming the property and the row.
  static func value(_ stored: Stored) throws -> Value

  /// What a property that must have a value, and declares no default, reads as when its
  /// row is gone; nil unless declared.
  static var placeholder: Value? { get }
}

extension AttributeTransformer {
  public static var placeholder: Value? { nil }
}

extension AttributeTransformer {
  /// Makes the transformer known by a name, for `.transformable(by: "name")`.
  ///
  /// Call it before the first container with such an attribute is made. A later call with the name replaces the first.
  public static func register(as name: String) { TransformerNames.register(Self.self, as: name) }
}
