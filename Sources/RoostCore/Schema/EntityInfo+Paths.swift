import Synchronization

extension EntityInfo {
  /// How many to-one relationships a key path may pass through before it is given up.
  private static var longestPath: Int { 4 }
  /// How many key paths are compared before one is given up: schemas may have loops.
  private static var mostComparisons: Int { 4096 }

  /// The properties that a key path passes through, the last being the one it names: one for `\Note.title`, two for
  /// `\Note.notebook?.title`. nil when it names no persisted property.
  ///
  /// A string or Bool may be followed by the step that a sort descriptor takes to another order.
  package func path(for keyPath: AnyKeyPath) -> [PropertyInfo]? {
    if let property = property(for: keyPath) { return [property] }
    if keyPath.beginsAtRequirement { return nil }
    let key = KeyPathKey(keyPath: keyPath)
    if let known = paths.withLock({ $0[key] }) { return known }
    let found = ancestor(of: Swift.type(of: keyPath).rootType)?.search(for: keyPath)
    paths.withLock { $0[key] = .some(found) }
    return found
  }

  private func ancestor(of type: any Any.Type) -> EntityInfo? {
    self.type == type ? self : superentity?.ancestor(of: type)
  }

  /// The key paths of composite attributes, through to-one relationships too.
  func attributePaths(in rootType: any Any.Type) -> [(keyPath: AnyKeyPath, path: [PropertyInfo])] {
    let stored = ancestor(of: rootType)?.properties.filter(\.isStored) ?? []
    var found = stored.filter { $0.compositeType != nil }.map { (keyPath: $0.keyPath, path: [$0]) }
    var ends = stored.compactMap { PathEnd(keyPath: $0.keyPath, isOptional: false, path: [], next: $0) }
    for _ in 0..<Self.longestPath where ends.count < Self.mostComparisons / 8 {
      ends = ends.flatMap { end in
        end.destination.properties.compactMap { property in
          guard property.isStored, let candidate = end.keyPath(to: property) else { return nil }
          if property.compositeType != nil { found.append((candidate, end.path + [property])) }
          return PathEnd(keyPath: candidate, isOptional: end.isOptional, path: end.path, next: property)
        }
      }
    }
    return found
  }

  /// Key paths tell nothing of their parts, but equal ones can be made from the models' own.
  private func search(for keyPath: AnyKeyPath) -> [PropertyInfo]? {
    let wanted = keyPath.comparable
    /// Whether the path of a string or Bool leads to what is searched, too.
    func leadsThere(_ path: AnyKeyPath) -> Bool {
      keyPath.orderedType != nil && path.inOtherOrders.contains { $0.comparable == wanted }
    }
    let stored = properties.filter(\.isStored)
    if let property = stored.first(where: { leadsThere($0.keyPath) }) { return [property] }
    var ends = stored.compactMap { PathEnd(keyPath: $0.keyPath, isOptional: false, path: [], next: $0) }
    var comparisons = 0
    for _ in 0..<Self.longestPath {
      var longer: [PathEnd] = []
      for end in ends {
        for property in end.destination.properties where property.isStored {
          guard let candidate = end.keyPath(to: property) else { continue }
          if candidate.comparable == wanted || leadsThere(candidate) { return end.path + [property] }
          comparisons += 1
          if comparisons == Self.mostComparisons { return nil }
          if let next = PathEnd(keyPath: candidate, isOptional: end.isOptional, path: end.path, next: property) {
            longer.append(next)
          }
        }
      }
      ends = longer
    }
    return nil
  }
}

/// A key path that ends at a model, or at an optional one.
private struct PathEnd {
  let keyPath: AnyKeyPath
  let isOptional: Bool
  let path: [PropertyInfo]
  let destination: EntityInfo

  /// nil when `next` is no to-one relationship.
  init?(keyPath: AnyKeyPath, isOptional: Bool, path: [PropertyInfo], next: PropertyInfo) {
    guard case .toOne(let relationship) = next.kind else { return nil }
    self.keyPath = keyPath
    self.isOptional = isOptional || relationship.isOptional
    self.path = path + [next]
    destination = relationship.destination
  }

  func keyPath(to property: PropertyInfo) -> AnyKeyPath? {
    guard isOptional else { return keyPath.appending(path: property.keyPath) }
    return property.chained.flatMap { keyPath.appending(path: $0()) }
  }
}

/// A key path that a lock may guard.
package struct KeyPathKey: Hashable, @unchecked Sendable {
  // SAFETY: key paths are immutable, and those of models' properties capture nothing.
  package let keyPath: AnyKeyPath

  package init(keyPath: AnyKeyPath) {
    self.keyPath = keyPath
  }
}

extension AnyKeyPath {
  /// A key path that is equal to another's exactly when both take the same steps.
  ///
  /// `==` also compares where the part ends that is only read through before a class's property is set, and that
  /// differs between a literal and a path put together. Behind another such part it makes no difference.
  fileprivate var comparable: AnyKeyPath {
    guard let type = Swift.type(of: self).valueType as? any AnchoredOptional.Type else { return self }
    return appending(path: type.anchorPath) ?? self
  }
}

/// An optional type, of which every path through an optional relationship ends in one.
private protocol AnchoredOptional {
  static var anchorPath: AnyKeyPath { get }
}

extension Optional: AnchoredOptional {
  fileprivate static var anchorPath: AnyKeyPath { \Wrapped?.anchor.value }

  private var anchor: Anchor { Anchor() }
}

private final class Anchor {
  var value = 0
}
