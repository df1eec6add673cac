import Logging

extension ContextCore {
  /// Says, once a context, that a model is edited whose context is gone: the edit stays in memory.
  func reportLostEdit(_ model: any PersistentModel, _ index: Int) {
    if reportedLostEdit { return }
    reportedLostEdit = true
    store.logger.warning(
      "A model was edited whose context is gone: the edit is never saved. Keep the ModelContext for as long as its models.",
      metadata: [
        "model": "\(model.dynamicType.entityName)", "property": "\(model._$info(index)?.name ?? "")",
        "row": "\(model._$state.key)",
      ])
  }
}
