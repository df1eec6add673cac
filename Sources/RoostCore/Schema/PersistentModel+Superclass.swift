extension PersistentModel {
  /// The class of the instance, also where the code at hand is a superclass's.
  var dynamicType: any PersistentModel.Type { Swift.type(of: self) }

  /// What the class itself declares. One that declares no properties has its superclass's list otherwise.
  package static var ownMetadata: [Schema.PropertyMetadata] {
    schemaMetadata.filter { metadata in
      metadata.keyPath.map { Swift.type(of: $0).rootType == self } ?? (metadata.valueType == self)
    }
  }

  /// What the class and its superclasses declare, the root's first.
  package static var allMetadata: [Schema.PropertyMetadata] { (modelSuperclass?.allMetadata ?? []) + ownMetadata }

  /// The nearest superclass that is a model, or nil.
  package static var modelSuperclass: (any PersistentModel.Type)? {
    var next: AnyClass? = _getSuperclass(self)
    while let type = next {
      if let model = type as? any PersistentModel.Type { return model }
      next = _getSuperclass(type)
    }
    return nil
  }
}
