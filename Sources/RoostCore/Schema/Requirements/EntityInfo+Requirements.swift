// Key paths that generic code makes of a protocol's requirements.
extension EntityInfo {
  /// The property that a requirement's key path reads, which is asked of a probe; nil when it reads none, or
  /// several, or changes what it reads.
  ///
  /// Whether a class meets a requirement by a stored property or a computed one a key path does not say. So it must
  /// give the very value of the one property that it reads, for each of some examples. That runs the program's own code
  /// if the property is computed, which is why no other key path is asked so.
  package func required(_ keyPath: AnyKeyPath) -> PropertyInfo? {
    if let property = identifier(keyPath) { return property }
    guard keyPath.beginsAtRequirement, let read = reader(keyPath) else { return nil }
    let model = PropertyProbe.make(type)
    guard let probe = model._$state.probe, let first = read(model), let index = probe.log.onlyRead,
      let property = properties.indices.contains(index) ? properties[index] : nil, property.isStored,
      keyPath.orderedType != nil || Swift.type(of: keyPath).valueType == property.valueType,
      probe.given[index]?.isSame(first) ?? false
    else { return nil }
    let examples = probe.examples(model, index).dropFirst()
    guard !examples.isEmpty else { return nil }
    for example in examples {
      model._$edit(index, .restore(example.image))
      probe.log.reads = []
      guard let value = read(model), probe.log.onlyRead == index, example.isSame(value) else { return nil }
    }
    return property
  }

  /// Whether a requirement's key path gives the model's identifier.
  package func isRequiredIdentity(_ keyPath: AnyKeyPath) -> Bool {
    guard Swift.type(of: keyPath).valueType == PersistentIdentifier.self,
      keyPath.beginsAtRequirement || keyPath.isIdentifiable, let read = reader(keyPath)
    else { return false }
    let model = PropertyProbe.make(type)
    return read(model) as? PersistentIdentifier == model.persistentModelID
      && model._$state.probe?.log.reads.isEmpty ?? false
  }

  /// The model's own `id`, where the key path is that of the requirement of `Identifiable`.
  private func identifier(_ keyPath: AnyKeyPath) -> PropertyInfo? {
    guard let property = property(named: "id"), property.isStored,
      property.valueType == Swift.type(of: keyPath).valueType, keyPath.isIdentifiable
    else { return nil }
    return property
  }

  /// Reads what a key path leads to, without the step to another order at its end.
  private func reader(_ keyPath: AnyKeyPath) -> ((any PersistentModel) -> Any?)? {
    func open<Root>(_ type: Root.Type) -> ((any PersistentModel) -> Any?)? {
      guard let keyPath = keyPath as? PartialKeyPath<Root> else { return nil }
      return { model in
        let value = (model as? Root).map { $0[keyPath: keyPath] }
        return (value as? any OrderStep).map(\.original) ?? value
      }
    }
    return _openExistential(Swift.type(of: keyPath).rootType, do: open)
  }
}

extension PropertyProbe.Log {
  /// The first probe's property, if nothing but that was read, and once.
  fileprivate var onlyRead: Int? { reads.count == 1 && reads[0].isFirst ? reads[0].index : nil }
}

extension AnyKeyPath {
  /// Whether it is `\Model.id` as code that is generic over models makes it.
  fileprivate var isIdentifiable: Bool {
    (Swift.type(of: self).rootType as? any PersistentModel.Type)?.identifiableKeyPath == self
  }
}

extension PersistentModel {
  /// The requirement of `Identifiable`, whichever property meets it.
  fileprivate static var identifiableKeyPath: AnyKeyPath { \Self.id as KeyPath<Self, Self.ID> }
}
