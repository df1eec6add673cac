extension PersistentModel {
  /// What the class itself declares. One that declares no properties has its superclass's list otherwise.
  static var ownMetadata: [Schema.PropertyMetadata] {
    schemaMetadata.filter { metadata in
      metadata.keyPath.map { Swift.type(of: $0).rootType == self } ?? (metadata.valueType == self)
    }
  }

  /// The nearest superclass that is a model, or nil.
  static var modelSuperclass: (any PersistentModel.Type)? {
    var next: AnyClass? = _getSuperclass(self)
    while let type = next {
      if let model = type as? any PersistentModel.Type { return model }
      next = _getSuperclass(type)
    }
    return nil
  }
}
