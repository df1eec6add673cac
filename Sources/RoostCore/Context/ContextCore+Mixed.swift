import Logging

// Models of several classes in one table: only a row tells which class it is of.
extension ContextCore {
  /// The objects of a list's rows: the live ones, and the others read at once, with those that a walk will come to.
  ///
  /// No shells: what a shell is never changes. Rows that cannot be read are left out, and the log has the reason.
  package func mixedModels(
    _ destination: EntityInfo, _ keys: [Int64], onFailure: (any Error) -> Void = { _ in }
  ) -> [any PersistentModel] {
    var models: [Int64: any PersistentModel] = [:]
    for key in keys { models[key] = existing(ordinal: destination.ordinal, key: key) }
    let missing = Set(keys.filter { models[$0] == nil && isReadable(destination, key: $0) })
    if !missing.isEmpty {
      let wanted = Array(missing.union(membersAhead(of: destination.ordinal)))
      func log(_ error: any Error) {
        onFailure(error)
        store.logger.error(
          "Reading related models failed", metadata: ["entity": "\(destination.name)", "error": "\(error)"])
      }
      do {
        try readRows(destination, wanted) { error, key in
          if missing.contains(key) { log(error) }
        } body: { model in
          if missing.contains(model._$state.key) { models[model._$state.key] = model } else { remember(model) }
        }
      } catch {
        log(error)
      }
    }
    return keys.compactMap { models[$0] }.filter { !$0._$state.flags.contains(.deleted) }
  }
}
