public import Foundation
public import RoostCore

extension ModelContext {
  /// Has the next save delete all models of a type that match a predicate.
  ///
  /// Delete rules apply as for ``delete(_:)``.
  /// - Parameters:
  ///   - model: the type.
  ///   - predicate: nil deletes all of them.
  ///   - includeSubclasses: whether models of subclasses go too.
  /// - Throws: ``SwiftDataError`` when the predicate cannot be translated or the store cannot be read.
  public func delete<T>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws where T: PersistentModel {
    let name = Schema.entityName(for: model)
    var identifiers = try fetchIdentifiers(FetchDescriptor(predicate: predicate))
    if !includeSubclasses { identifiers.removeAll { $0.entityName != name } }
    deleteGraph(identifiers.map { self.model(for: $0) })
  }
}
