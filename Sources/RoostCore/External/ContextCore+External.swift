import Foundation
import RoostSQL

extension ContextCore {
  /// Reads a value's file into its slot, after the row if that has not been read.
  func loadFile(for model: some PersistentModel, _ property: PropertyInfo) throws {
    let index = property.index
    if model._$edit(index, .collect).file == nil { try loadRow(of: model) }
    var missing: ExternalName?
    while let name = model._$edit(index, .collect).file, name != missing {
      if let bytes = try read(name, of: model, property) {
        guard model._$edit(index, .fill(bytes)).wasLoaded else {
          throw store.corruptValue(schema.entities[model._$state.ordinal], index, key: model._$state.key)
        }
        return
      }
      // Another save has given the row another value, or deleted it, since it was read.
      missing = name
      try loadRow(of: model)
      if model._$state.flags.contains(.vanished) { return }
    }
    if let missing, !model._$edit(index, .collect).wasLoaded {
      throw error(model, property, store.files?.url(of: missing), nil)
    }
  }

  private func read(_ name: ExternalName, of model: some PersistentModel, _ property: PropertyInfo) throws -> Data? {
    do {
      return try store.readFile(name)
    } catch {
      throw self.error(model, property, error.url, error.underlying)
    }
  }

  private func error(
    _ model: some PersistentModel, _ property: PropertyInfo, _ url: URL?, _ error: (any Error)?
  ) -> SwiftDataError {
    .externalFile(
      property, of: schema.entities[model._$state.ordinal], row: model.persistentModelID, url, error)
  }
}
