/// A generic type that values in predicates may be of.
private protocol ArchivableGeneric {
  static var archivedName: String { get }
  static var archivedArguments: [Any.Type] { get }
}

extension Optional: ArchivableGeneric {
  fileprivate static var archivedName: String { "Optional" }
  fileprivate static var archivedArguments: [Any.Type] { [Wrapped.self] }
}

extension Array: ArchivableGeneric {
  fileprivate static var archivedName: String { "Array" }
  fileprivate static var archivedArguments: [Any.Type] { [Element.self] }
}

extension Set: ArchivableGeneric {
  fileprivate static var archivedName: String { "Set" }
  fileprivate static var archivedArguments: [Any.Type] { [Element.self] }
}

extension Dictionary: ArchivableGeneric {
  fileprivate static var archivedName: String { "Dictionary" }
  fileprivate static var archivedArguments: [Any.Type] { [Key.self, Value.self] }
}

extension Range: ArchivableGeneric {
  fileprivate static var archivedName: String { "Range" }
  fileprivate static var archivedArguments: [Any.Type] { [Bound.self] }
}

extension ClosedRange: ArchivableGeneric {
  fileprivate static var archivedName: String { "ClosedRange" }
  fileprivate static var archivedArguments: [Any.Type] { [Bound.self] }
}

extension PartialRangeFrom: ArchivableGeneric {
  fileprivate static var archivedName: String { "PartialRangeFrom" }
  fileprivate static var archivedArguments: [Any.Type] { [Bound.self] }
}

extension PartialRangeUpTo: ArchivableGeneric {
  fileprivate static var archivedName: String { "PartialRangeUpTo" }
  fileprivate static var archivedArguments: [Any.Type] { [Bound.self] }
}

extension PartialRangeThrough: ArchivableGeneric {
  fileprivate static var archivedName: String { "PartialRangeThrough" }
  fileprivate static var archivedArguments: [Any.Type] { [Bound.self] }
}

extension ArchivedType {
  /// nil for a type that is not allowed.
  init?(_ type: Any.Type, name: (Any.Type) -> String?) {
    if let known = name(type) {
      self.init(name: known)
    } else if let generic = type as? any ArchivableGeneric.Type {
      var arguments: [ArchivedType] = []
      for argument in generic.archivedArguments {
        guard let archived = ArchivedType(argument, name: name) else { return nil }
        arguments.append(archived)
      }
      self.init(name: generic.archivedName, of: arguments)
    } else {
      return nil
    }
  }

  /// nil for a type that is not allowed.
  func type(named known: (String) -> Any.Type?) -> Any.Type? {
    guard let of else { return known(name) }
    let arguments = of.compactMap { $0.type(named: known) }
    guard arguments.count == of.count, let first = arguments.first else { return nil }
    func optional<Wrapped>(_ type: Wrapped.Type) -> Any.Type { Wrapped?.self }
    func array<Element>(_ type: Element.Type) -> Any.Type { [Element].self }
    func set<Element: Hashable>(_ type: Element.Type) -> Any.Type { Set<Element>.self }
    switch name {
    case "Optional": return _openExistential(first, do: optional)
    case "Array": return _openExistential(first, do: array)
    case "Set": return (first as? any Hashable.Type).map { set($0) }
    case "Dictionary" where arguments.count == 2:
      return (first as? any Hashable.Type).map { dictionary($0, arguments[1]) }
    default: return (first as? any Comparable.Type).flatMap { range($0) }
    }
  }

  private func dictionary<Key: Hashable>(_ key: Key.Type, _ value: Any.Type) -> Any.Type {
    func open<Value>(_ value: Value.Type) -> Any.Type { [Key: Value].self }
    return _openExistential(value, do: open)
  }

  private func range<Bound: Comparable>(_ bound: Bound.Type) -> Any.Type? {
    switch name {
    case "Range": Range<Bound>.self
    case "ClosedRange": ClosedRange<Bound>.self
    case "PartialRangeFrom": PartialRangeFrom<Bound>.self
    case "PartialRangeUpTo": PartialRangeUpTo<Bound>.self
    case "PartialRangeThrough": PartialRangeThrough<Bound>.self
    default: nil
    }
  }
}
