public import RoostCore
import RoostQuery

extension ModelContext {
  /// Goes through the models of an older version with those that they became, in a stage that has both open.
  ///
  /// ```swift
  /// try new.update(V2.Note.self, from: V1.Note.self, in: old) { before, after in
  ///   after.words = before.text.split(separator: " ").count
  /// }
  /// ```
  /// A batch at a time is in memory. This context is saved after each.
  /// - Parameters:
  ///   - type: the model of the newer version.
  ///   - oldType: what it was in the older one.
  ///   - old: the context of the older version.
  ///   - batchSize: how many models are read at once.
  ///   - block: what to do with each pair. Models that became nothing are left out.
  /// - Throws: ``SwiftDataError``, or what `block` throws.
  public func update<Old: PersistentModel, New: PersistentModel>(
    _ type: New.Type, from oldType: Old.Type, in old: ModelContext, batchSize: Int = 1_000,
    _ block: (_ before: Old, _ after: New) throws -> Void
  ) throws {
    let identifiers = try old.fetchIdentifiers(FetchDescriptor<Old>())
    let size = max(batchSize, 1)
    for start in stride(from: 0, to: identifiers.count, by: size) {
      let batch = identifiers[start..<min(start + size, identifiers.count)].map(\.key)
      let (before, after) = (try old.models(Old.self, batch), try models(New.self, batch))
      for key in batch {
        if let before = before[key], let after = after[key] { try block(before, after) }
      }
      try save()
    }
  }

  private func models<Model: PersistentModel>(_ type: Model.Type, _ keys: [Int64]) throws -> [Int64: Model] {
    guard let entity = core.schema.entity(for: type) else {
      throw SwiftDataError(.modelNotInSchema, model: String(describing: type))
    }
    var models: [Int64: Model] = [:]
    try SwiftDataError.translating {
      try core.readRows(entity, keys) { model in
        if let model = model as? Model { models[model._$state.key] = model }
      }
    }
    return models
  }
}
