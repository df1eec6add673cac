// Bringing models up to date with what others wrote.
extension ContextCore {
  /// The live models of some tables that have rows, and were read.
  package func storedModels(of tables: Set<String>) -> [any PersistentModel] {
    schema.entities.filter { $0.superentity == nil && tables.contains($0.table) }.flatMap { root in
      identities.neighbours(of: 0, ordinal: root.ordinal, limit: .max).compactMap { object in
        guard let model = object as? any PersistentModel, isStored(model), !model._$state.flags.contains(.shell) else {
          return nil
        }
        return model
      }
    }
  }

  /// Whether the store has a row of the model, or for a draft the parent may have the model.
  private func isStored(_ model: any PersistentModel) -> Bool {
    model._$state.core === self && !model._$state.flags.contains(.inserted)
      && source.mayHaveRow(key: model._$state.key)
  }

  /// Reads the live models of some tables again; those of a draft's parent first, which the draft's are copies of.
  package func readAgain(of tables: Set<String>) throws {
    if tables.isEmpty { return }
    try source.readAgain(of: tables)
    try readAgain(storedModels(of: tables))
  }

  /// Reads the rows of models again. What changed here stays. Models without a row are deleted.
  package func readAgain(_ models: [any PersistentModel]) throws {
    let stored = models.filter(isStored)
    if !stored.isEmpty { try source.readAgain(stored, in: self) }
  }
}
