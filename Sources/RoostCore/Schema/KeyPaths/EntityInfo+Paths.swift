import Synchronization

extension EntityInfo {
  /// The properties that a key path passes through, the last being the one it names: one for `\Note.title`, two for
  /// `\Note.notebook?.title`. nil when it names no persisted property.
  ///
  /// A string or Bool may be followed by the step that a sort descriptor takes to another order.
  package func path(for keyPath: AnyKeyPath) -> [PropertyInfo]? {
    if let property = property(for: keyPath) { return [property] }
    return steps(of: keyPath).flatMap { $0.fields.isEmpty ? $0.properties : nil }
  }

  /// The persisted properties that a key path passes through, and what follows.
  func steps(of keyPath: AnyKeyPath) -> KeyPathProperties? {
    let key = KeyPathKey(keyPath: keyPath)
    if let known = paths.withLock({ $0[key] }) { return known }
    if keyPath.beginsAtRequirement { return nil }
    let found = ancestor(of: Swift.type(of: keyPath).rootType)?.follow(keyPath)
    paths.withLock { $0[key] = .some(found) }
    return found
  }

  private func ancestor(of type: any Any.Type) -> EntityInfo? {
    self.type == type ? self : superentity?.ancestor(of: type)
  }

  private func follow(_ keyPath: AnyKeyPath) -> KeyPathProperties? {
    guard KeyPathSteps.isKnown, var steps = KeyPathSteps(keyPath)?.properties[...] else { return nil }
    if keyPath.orderedType != nil { _ = steps.popLast() }
    var (entity, found) = (Optional(self), [PropertyInfo]())
    while let step = steps.first, let property = entity?.property(at: step) {
      steps.removeFirst()
      found.append(property)
      if case .toOne(let relationship) = property.kind { entity = relationship.destination } else { entity = nil }
    }
    return found.isEmpty ? nil : KeyPathProperties(properties: found, fields: steps)
  }

  /// The stored property that a step leads to.
  private func property(at step: KeyPathStep) -> PropertyInfo? {
    properties.first { $0.isStored && $0.step == step }
  }
}

/// What a key path leads through.
struct KeyPathProperties: Sendable {
  /// At least one.
  let properties: [PropertyInfo]
  /// The steps behind the last of them, without the one to another order.
  let fields: ArraySlice<KeyPathStep>
}

/// A key path that a lock may guard.
package struct KeyPathKey: Hashable, @unchecked Sendable {
  // SAFETY: key paths are immutable, and those of models' properties capture nothing.
  package let keyPath: AnyKeyPath

  package init(keyPath: AnyKeyPath) {
    self.keyPath = keyPath
  }
}
