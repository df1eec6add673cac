import SwiftSyntax

extension TypeSyntax {
  /// The type's own name: `Note` for `Library.Note`. nil for anything but a named type.
  var lastComponent: String? {
    if let type = self.as(IdentifierTypeSyntax.self) { return type.name.unescaped }
    if let type = self.as(MemberTypeSyntax.self) { return type.name.unescaped }
    return nil
  }

  /// Whether `nil` is a value, as far as the spelling tells.
  var isOptional: Bool {
    if self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return true }
    if let type = parenthesized { return type.isOptional }
    return lastComponent == "Optional"
  }

  /// The type inside redundant parentheses.
  var parenthesized: TypeSyntax? {
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first, element.firstName == nil
    else { return nil }
    return element.type
  }

  /// The type without one layer of `?`, `!`, `Optional<…>` or parentheses; itself when it has none.
  var unwrapped: TypeSyntax {
    if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType }
    if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return type.wrappedType }
    if let type = parenthesized { return type.unwrapped }
    if lastComponent == "Optional", let argument = genericArguments.first { return argument }
    return self
  }

  /// The arguments of a named generic type.
  var genericArguments: [TypeSyntax] {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
  }

  /// The type as it stands before `.self`: `T!` means `T?` there.
  var storageText: String {
    if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(type.wrappedType.trimmedDescription)?"
    }
    return trimmedDescription
  }

  /// What of the type can be seen not to be storable: a tuple, a function, an existential.
  var unstorablePart: TypeSyntax? {
    if let tuple = self.as(TupleTypeSyntax.self) {
      return parenthesized.map { $0.unstorablePart } ?? TypeSyntax(tuple)
    }
    if self.is(FunctionTypeSyntax.self) || self.is(MetatypeTypeSyntax.self) || self.is(SomeOrAnyTypeSyntax.self)
      || self.is(CompositionTypeSyntax.self)
    {
      return self
    }
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.unstorablePart }
    if let type = self.as(ArrayTypeSyntax.self) { return type.element.unstorablePart }
    if let type = self.as(DictionaryTypeSyntax.self) { return type.key.unstorablePart ?? type.value.unstorablePart }
    if let name = lastComponent {
      if ["Any", "AnyObject", "AnyHashable"].contains(name) { return self }
      guard ["Optional", "Array", "Set", "Dictionary"].contains(name) else { return nil }
      return genericArguments.lazy.compactMap(\.unstorablePart).first
    }
    let inner = unwrapped
    return inner == self ? nil : inner.unstorablePart
  }

  /// Whether the type is written as a collection: `[Tag]`, `Set<Tag>`, optional or not.
  var looksLikeCollection: Bool {
    let type = unwrapped
    if type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) { return true }
    return ["Array", "Set", "Dictionary"].contains(type.lastComponent ?? "")
  }

  /// The element of a collection type as written; the type itself otherwise.
  var elementOrSelf: TypeSyntax {
    let type = unwrapped
    if let array = type.as(ArrayTypeSyntax.self) { return array.element }
    if ["Array", "Set"].contains(type.lastComponent ?? ""), let argument = type.genericArguments.first {
      return argument
    }
    return type
  }

  /// The standard value type's name when the type is one: never a model.
  ///
  /// `Chart.Data` is the program's own.
  var scalarName: String? {
    if let member = self.as(MemberTypeSyntax.self) {
      guard ["Foundation", "Swift"].contains(member.baseType.trimmedDescription) else { return nil }
    }
    return lastComponent.flatMap { Self.scalars.contains($0) ? $0 : nil }
  }

  // Without names that a program may have for a model or a type of its own: `Character`, `Calendar`, `Duration`.
  private static var scalars: Set<String> {
    [
      "Bool", "String", "Substring", "Double", "Float", "Float16", "Float80", "CGFloat", "Decimal", "Int", "Int8",
      "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "Date", "Data",
      "URL", "UUID", "TimeInterval", "DateComponents",
    ]
  }
}
