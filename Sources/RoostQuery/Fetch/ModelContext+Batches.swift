import Logging
public import RoostCore
import RoostSQL

extension ModelContext {
  /// The models that match, of which a batch at a time is read when one of it is asked for.
  ///
  /// Runs one statement for the keys now, and one for each batch that is touched.
  /// - Parameters:
  ///   - descriptor: what to find, pending changes included if it says so.
  ///   - batchSize: how many models are read at a time.
  /// - Returns: a collection of the matches, in the descriptor's order.
  /// - Throws: what ``fetch(_:)`` does before it reads rows. A row that cannot be read later has its properties'
  ///   defaults, and the log has the reason.
  public func fetch<T>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> where T: PersistentModel {
    let (entity, query) = try query(descriptor)
    let identifiers = try fetchKeys(descriptor, entity, query)
    let unsaved = unsavedModels(identifiers, entity)
    return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { [self] range in
      models(identifiers[range], unsaved)
    }
  }

  /// The identifiers of the models that match.
  public func fetchIdentifiers<T>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> where T: PersistentModel {
    let (entity, query) = try query(descriptor)
    let identifiers = try fetchKeys(descriptor, entity, query)
    return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { Array(identifiers[$0]) }
  }

  /// The models among those found that have no row yet, by the keys that a save takes from them.
  func unsavedModels(_ identifiers: RowKeys, _ entity: EntityInfo) -> [Int64: any PersistentModel] {
    guard core.hasPending(in: [entity.table]) else { return [:] }
    var models: [Int64: any PersistentModel] = [:]
    for identifier in identifiers where identifier.key < 0 {
      models[identifier.key] = core.existing(ordinal: entity.ordinal, key: identifier.key)
    }
    return models
  }

  /// The model that was found under an identifier, be it saved meanwhile.
  func model(for identifier: PersistentIdentifier, _ unsaved: [Int64: any PersistentModel]) -> any PersistentModel {
    if let model = unsaved[identifier.key], model._$state.core === core { return model }
    return model(for: identifier)
  }

  /// A model for each identifier, with its row read: one statement for all.
  private func models<T: PersistentModel>(
    _ identifiers: Slice<RowKeys>, _ unsaved: [Int64: any PersistentModel]
  ) -> [T] {
    guard let entity = store.schema.entity(for: T.self) else { return [] }
    let models = identifiers.map { model(for: $0, unsaved) as? T ?? Placeholder.model(T.self) }
    do {
      try core.readRows(entity, of: models.filter { $0._$state.flags.contains(.shell) })
    } catch {
      // Each is read when it is used, which says which one is bad.
      store.logger.error("Reading a batch failed", metadata: ["entity": "\(entity.name)", "error": "\(error)"])
    }
    return models
  }
}
