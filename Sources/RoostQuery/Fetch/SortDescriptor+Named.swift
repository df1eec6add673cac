public import Foundation
public import RoostCore

extension SortDescriptor where Compared: PersistentModel {
  /// Sorts by a stored property whose name is known while the program runs, such as that of a table's column.
  ///
  /// ```swift
  /// let byTitle = try SortDescriptor(named: "title", in: Note.self)
  /// let byNotebook = try SortDescriptor(named: "notebook.name", in: Note.self, order: .reverse)
  /// ```
  /// - Parameters:
  ///   - name: a property's name, behind the names of to-one relationships that refer there.
  ///   - model: the class of the models.
  ///   - order: whether the least comes first.
  /// - Throws: `SwiftDataError.unsupportedSortDescriptor`, with the names that there are, for any other name, and for a
  ///   property whose values have no order.
  public init(named name: String, in model: Compared.Type = Compared.self, order: SortOrder = .forward) throws {
    let keyPath = try NamedPath.find(name, in: model)
    func open<Value>(_ type: Value.Type) -> SortDescriptor? { Self(keyPath, Value.self, order) }
    guard let found = _openExistential(Swift.type(of: keyPath).valueType, do: open) else {
      throw SwiftDataError.unsupportedSortDescriptor(
        "`\(name)` of \(Compared.self) has no order: sort by a property that is a number, text, date or the like.",
        model: "\(Compared.self)")
    }
    self = found
  }

  /// nil when the values have no order. A Bool and a String have initialisers of their own.
  private init?<Value>(_ keyPath: AnyKeyPath, _ type: Value.Type, _ order: SortOrder) {
    func plain<Ordered: Comparable>(_ type: Ordered.Type) -> SortDescriptor? {
      (keyPath as? KeyPath<Compared, Ordered>).map { SortDescriptor($0.assumedSendable, order: order) }
    }
    func optional<Ordered: Comparable>(_ type: Ordered.Type) -> SortDescriptor? {
      (keyPath as? KeyPath<Compared, Ordered?>).map { SortDescriptor($0.assumedSendable, order: order) }
    }
    let wrapped = (type as? any AnyOptionalType.Type)?.wrappedType
    let found: SortDescriptor? =
      if let path = keyPath as? KeyPath<Compared, Bool> {
        SortDescriptor(path.assumedSendable, order: order)
      } else if let path = keyPath as? KeyPath<Compared, Bool?> {
        SortDescriptor(path.assumedSendable, order: order)
      } else if let path = keyPath as? KeyPath<Compared, String> {
        SortDescriptor(path.assumedSendable, order: order)
      } else if let path = keyPath as? KeyPath<Compared, String?> {
        SortDescriptor(path.assumedSendable, order: order)
      } else if let wrapped = wrapped as? any Comparable.Type {
        optional(wrapped)
      } else {
        (type as? any Comparable.Type).flatMap { plain($0) }
      }
    guard let found else { return nil }
    self = found
  }
}

/// Key paths found by the names of properties.
private enum NamedPath {
  static func find(_ name: String, in model: any PersistentModel.Type) throws -> AnyKeyPath {
    var (found, isOptional): (AnyKeyPath?, Bool) = (nil, false)
    var type: (any PersistentModel.Type)? = model
    for part in name.split(separator: ".", omittingEmptySubsequences: false) {
      guard let owner = type else { throw unknown(part, of: nil, in: name, model) }
      guard let property = owner.namedPaths.first(where: { $0.name == part }) else {
        throw unknown(part, of: owner, in: name, model)
      }
      let step = isOptional ? property.chained : property.keyPath
      found = step.flatMap { step in found.map { $0.appending(path: step) } ?? step }
      let value = Swift.type(of: property.keyPath).valueType
      let wrapped = (value as? any AnyOptionalType.Type)?.wrappedType
      isOptional = isOptional || wrapped != nil
      type = (wrapped ?? value) as? any PersistentModel.Type
    }
    guard let found else { throw unknown(name[...], of: model, in: name, model) }
    return found
  }

  private static func unknown(
    _ part: Substring, of owner: (any PersistentModel.Type)?, in name: String, _ model: any PersistentModel.Type
  ) -> SwiftDataError {
    let names = owner?.namedPaths.map(\.name).joined(separator: ", ") ?? ""
    let detail =
      owner.map { "\($0) has no stored property `\(part)`; it has \(names)." }
      ?? "What stands before `\(part)` in `\(name)` is no to-one relationship."
    return .unsupportedSortDescriptor("SQL cannot sort by `\(name)`. \(detail)", model: "\(model)")
  }
}

extension PersistentModel {
  /// The stored properties as the class itself writes their key paths, inherited ones first.
  static var namedPaths: [(name: String, keyPath: AnyKeyPath, chained: AnyKeyPath?)] {
    let superclass = (modelSuperclass?.allMetadata ?? []).filter { $0.keyPath != nil }
    let inherited = zip(superclass, ownMetadata.flatMap(\.inherited)).map { ($0.name, $1.keyPath, $1.chained) }
    return inherited + ownMetadata.compactMap { own in own.keyPath.map { (own.name, $0, own.chained?()) } }
  }
}
