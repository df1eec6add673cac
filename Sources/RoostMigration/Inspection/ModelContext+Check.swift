package import RoostCore
import RoostQuery

extension ModelContext {
  /// Reads every property of every row, with the files of values and the members of lists.
  ///
  /// - Parameter report: called with what cannot be read: the error names model, property and row.
  /// - Throws: what is not about one row.
  package func _readEverything(_ report: (SwiftDataError) -> Void) throws {
    func read<Model: PersistentModel>(_ type: Model.Type) throws {
      for model in try fetch(FetchDescriptor<Model>(), unreadable: report) {
        for property in store.schema.entities[model._$state.ordinal].properties {
          do {
            try SwiftDataError.translating { try core.readThrough(model, property.index) }
          } catch let error as SwiftDataError where error.row != nil {
            report(error)
          }
        }
      }
    }
    for entity in store.schema.entities where entity.superentity == nil { try read(entity.type) }
  }
}
