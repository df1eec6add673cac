extension EntityInfo {
  /// The key path to the to-many relationship that a key path is the `count` of: `\Author.books.count`.
  package func countedList(_ keyPath: AnyKeyPath) -> AnyKeyPath? {
    if lists.isEmpty { return nil }
    return byKeyPath.first { list, index in
      let type = properties[index].isList ? Swift.type(of: list).valueType as? any Counted.Type : nil
      return type.flatMap { list.appending(path: $0.countPath) } == keyPath
    }?.key
  }
}

/// What has a `count`, of which key paths know the type: that of any `Collection` would be another property.
private protocol Counted {
  static var countPath: AnyKeyPath { get }
  static var chainedCountPath: AnyKeyPath { get }
}

extension Array: Counted {
  fileprivate static var countPath: AnyKeyPath { \Self.count }
  fileprivate static var chainedCountPath: AnyKeyPath { \Self?.?.count }
}

extension Set: Counted {
  fileprivate static var countPath: AnyKeyPath { \Self.count }
  fileprivate static var chainedCountPath: AnyKeyPath { \Self?.?.count }
}

extension Optional: Counted where Wrapped: Counted {
  fileprivate static var countPath: AnyKeyPath { Wrapped.chainedCountPath }
  fileprivate static var chainedCountPath: AnyKeyPath { countPath }
}
