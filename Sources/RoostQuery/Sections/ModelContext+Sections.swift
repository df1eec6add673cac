import Foundation
public import RoostCore

extension ModelContext {
  /// The models that match, in sections by a property's value; pending changes count if the descriptor says so.
  ///
  /// ```swift
  /// let flights = FetchDescriptor<Flight>(sortBy: [SortDescriptor(\.departure)])
  /// let carriers = try context.fetch(flights, sectionBy: \.carrier)
  /// carriers[sectionTitle: "LH"]?.first
  /// ```
  /// One statement reads all. It sorts by the section's property first, so that a limit counts whole sections from
  /// the beginning, and by the descriptor's order within sections. If that begins with the property itself, it says
  /// in which order the sections are.
  /// - Parameters:
  ///   - descriptor: what to find.
  ///   - keyPath: a stored property, of the model or of one that a single relationship refers to.
  /// - Returns: the sections, of which each model is in one.
  /// - Throws: what ``fetch(_:)`` does, and ``SwiftDataError/unsupportedKeyPath`` or
  ///   ``SwiftDataError/unsupportedSortDescriptor`` when SQL cannot find the property.
  public func fetch<T, Title>(
    _ descriptor: FetchDescriptor<T>, sectionBy keyPath: KeyPath<T, Title>
  ) throws -> SectionedResults<T, Title> where T: PersistentModel, Title: Hashable {
    try fetch(descriptor, sectionBy: SectionKey(keyPath))
  }

  /// The models that match, in sections by an optional string; those without one are in the section "".
  public func fetch<T>(
    _ descriptor: FetchDescriptor<T>, sectionBy keyPath: KeyPath<T, String?>
  ) throws -> SectionedResults<T, String> where T: PersistentModel {
    try fetch(descriptor, sectionBy: SectionKey(keyPath))
  }

  /// The models that match, in sections by a key such as `.month(\.departure)`.
  ///
  /// As ``fetch(_:sectionBy:)-(_,KeyPath<T,Title>)`` with a key path.
  public func fetch<T, Title>(
    _ descriptor: FetchDescriptor<T>, sectionBy key: SectionKey<T, Title>
  ) throws -> SectionedResults<T, Title> where T: PersistentModel, Title: Hashable {
    let (entity, query) = try query(descriptor, sectionBy: key.keyPath)
    return SectionedResults(try fetch(descriptor, entity, query), by: key)
  }
}
