/// The number of properties that a model class and its superclasses declare: where a subclass's own indexes start.
@_documentation(visibility: private)
public func _propertyCount<M: PersistentModel>(_ type: M.Type) -> Int {
  var count = 0
  var next: (any PersistentModel.Type)? = type
  while let type = next {
    count += type.ownMetadata.count { $0.keyPath != nil }
    next = type.modelSuperclass
  }
  return count
}

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
