// Backing data of one instance, seen as a super- or subclass's. Source: SwiftData's, of the same names.
extension BackingData {
  /// The values as those of a subclass: the same model's if it is one, else a new model's, which takes them over.
  @_documentation(visibility: private)
  public func _generateCurrentClassBackingData<CurrentClass>() -> any BackingData<CurrentClass>
  where CurrentClass: PersistentModel {
    let source = (self as? any ModelView)?.viewedModel
    if let model = (source as AnyObject) as? CurrentClass { return ModelBackingData(model: model) }
    let data = ModelBackingData(for: CurrentClass.self)
    if let source { for metadata in source.dynamicType.allMetadata { metadata.copy?(source, data.model) } }
    return data
  }

  /// The values of a class's model as those of its superclass.
  @_documentation(visibility: private)
  public func _superClassBackingData<SuperClass>(
    of givenType: any PersistentModel.Type
  ) -> any BackingData<SuperClass> where SuperClass: PersistentModel {
    _generateCurrentClassBackingData()
  }
}

/// Backing data that is a view of a model, whatever its class.
private protocol ModelView {
  var viewedModel: any PersistentModel { get }
}

extension ModelBackingData: ModelView {
  var viewedModel: any PersistentModel { model }
}
