import Foundation
import RoostCore

extension ModelContext {
  /// A draft's fetch: the query finds the keys, and the parent has the values.
  func fetchThroughParent<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ entity: EntityInfo, _ query: QueryBuilder
  ) throws -> [T] {
    try fetchThroughParent(try fetchIdentifiers(descriptor, entity, query))
  }

  func fetchThroughParent<T: PersistentModel>(_ identifiers: [PersistentIdentifier]) throws -> [T] {
    guard let entity = store.schema.entity(for: T.self) else { return [] }
    let stored = try SwiftDataError.translating { try core.readStored(entity, identifiers.map(\.key)) }
    return withExtendedLifetime(stored) {
      let models = identifiers.compactMap { model(for: $0) as? T }
      core.copy(models, refreshing: true)
      return models
    }
  }
}
