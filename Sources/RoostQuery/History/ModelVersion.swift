public import Foundation
public import RoostCore

/// A model as a transaction left it.
///
/// ```swift
/// for version in try context.history(of: note) {
///   print(version.timestamp, version.author ?? "", version[\.title] ?? "")
/// }
/// ```
public struct ModelVersion<Model>: Identifiable, @unchecked Sendable where Model: PersistentModel {
  // SAFETY: immutable; the values are those of attributes, which are decoded anew and which nobody else has, and key
  // paths of models are immutable.

  /// What the transaction did to the model.
  public enum Change: Hashable, Sendable {
    /// It was inserted.
    case insertion
    /// Some of its properties were changed.
    case update
    /// It was deleted.
    case deletion
  }

  /// The number of the transaction; each changes a model once, unless a row was deleted and came back in it.
  public let transactionIdentifier: Int64
  /// The transaction's place in history.
  public let token: DefaultHistoryToken
  /// When it was committed; for other programs' changes, when they were noticed.
  public let timestamp: Date
  /// Who changed it: the context's ``ModelContext/author``.
  public let author: String?
  /// What was done.
  public let change: Change
  /// The properties whose stored values an update changed.
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
  let values: [PartialKeyPath<Model>: Any]

  /// The same for the same transaction.
  public var id: Int64 { transactionIdentifier }

  /// The value of an attribute after the transaction; nil if it is not kept.
  ///
  /// Not kept are relationships, values in files of their own, what is in no column, and for a deleted model all but
  /// what is marked `.preserveValueOnDeletion`.
  public subscript<Value>(keyPath: KeyPath<Model, Value>) -> Value? { values[keyPath] as? Value }
}

extension ModelContext {
  /// What a model was after each transaction that changed it, as far back as history is kept.
  ///
  /// It reads the whole history of the store, and the row as it is stored: what is pending is not a part of it.
  /// - Returns: the versions in the order in which they were committed; none for a model that was never saved.
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` where no history is recorded;
  ///   ``SwiftDataError/corruptValue`` where something wrote over it; or what the database reports.
  public func history<Model>(of model: Model) throws -> [ModelVersion<Model>] where Model: PersistentModel {
    try history(of: model.persistentModelID, as: Model.self)
  }

  /// What a model was after each transaction that changed it, by its identifier: also for a model that was deleted.
  ///
  /// - Parameters:
  ///   - identifier: that of the model.
  ///   - type: its class.
  /// - Returns: as ``history(of:)``; none for a model of another store or class.
  /// - Throws: as ``history(of:)``.
  public func history<Model>(
    of identifier: PersistentIdentifier, as type: Model.Type
  ) throws -> [ModelVersion<Model>] where Model: PersistentModel {
    guard let entity = store.schema.entity(for: type), identifier.storeIdentifier == store.identifier else { return [] }
    // A name that nobody knows may be the class's former one.
    if let named = store.schema.entity(of: identifier), named.root !== entity.root { return [] }
    return try store.history(of: identifier.key, entity, as: type)
  }
}
