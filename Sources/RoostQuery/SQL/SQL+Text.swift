import RoostCore
import RoostSQL

extension SQL {
  /// The text and the values for one store.
  ///
  /// `seesPending`: whether rows that are not stored yet are there, under their temporary keys.
  func text(in store: Store, seesPending: Bool) throws -> SQLText {
    var text = SQLText(sql: "")
    for part in parts { try append(part, to: &text, store, seesPending) }
    return text
  }

  private func append(_ part: Part, to text: inout SQLText, _ store: Store, _ seesPending: Bool) throws {
    switch part {
    case .text(let literal): text.sql += literal
    case .value(let value):
      text.sql += "?"
      text.arguments.append(value)
    case .refused(let error):
      let tellsValues = store.configuration.storeOptions.reportsArguments
      throw SwiftDataError(
        .invalidSQL, "A value cannot be bound in `\(self)`: \(SwiftDataError.reason(error, tellsValues: tellsValues))",
        remedy: "Interpolate another value.")
    case .list(let values): append(values, to: &text)
    case .identifier(let identifier):
      try append(.value(.integer(key(identifier, store, seesPending))), to: &text, store, seesPending)
    case .identifiers(let identifiers):
      append(try identifiers.map { .integer(try key($0, store, seesPending)) }, to: &text)
    case .table(let type): text.sql += quotedIdentifier(try entity(type, store).table)
    case .column(let type, let keyPath, let isQualified):
      let entity = try entity(type, store)
      if isQualified { text.sql += quotedIdentifier(entity.table) + "." }
      text.sql += quotedIdentifier(try column(keyPath.keyPath, of: entity))
    }
  }

  /// In parentheses. Whole numbers, of which there may be any number, and other lists that are long are one value.
  private func append(_ values: [SQLValue], to text: inout SQLText) {
    if let first = values.first, values.allSatisfy({ $0.isOfSameType(as: first) }),
      values.count > 1_000 || first.isOfSameType(as: .integer(0))
    {
      let list = SQLitePrinter.print(LongLists.select(values))
      text.sql += "(\(list.sql))"
      text.arguments += list.arguments
    } else {
      text.sql += "(" + values.map { _ in "?" }.joined(separator: ", ") + ")"
      text.arguments += values
    }
  }

  private func entity(_ type: any PersistentModel.Type, _ store: Store) throws -> EntityInfo {
    guard let entity = store.schema.entity(for: type) else { throw SwiftDataError.modelNotInSchema(type) }
    return entity
  }

  private func column(_ keyPath: AnyKeyPath, of entity: EntityInfo) throws -> String {
    if let column = entity.property(for: keyPath)?.column { return column }
    if entity.isIdentity(keyPath) { return primaryKeyColumn }
    throw SwiftDataError.unsupportedKeyPath(
      "`\(keyPath)` has no column of its own in the table of \(entity.name), so that SQL cannot name it.",
      model: entity.name)
  }

  private func key(_ identifier: PersistentIdentifier, _ store: Store, _ seesPending: Bool) throws -> Int64 {
    guard let key = identifier.rowKey, identifier.storeIdentifier.map({ $0 == store.identifier }) ?? true else {
      throw SwiftDataError(
        .invalidSQL, "An identifier in `\(self)` is of another store.", model: identifier.entityName,
        remedy: "Look the model up in this store's context first.")
    }
    guard seesPending || !identifier.isTemporary else {
      throw SwiftDataError(
        .invalidSQL, "A model in `\(self)` has no row yet.", model: identifier.entityName,
        remedy: "Save the context first.")
    }
    return key
  }
}

extension SQLValue {
  /// False for NULL.
  fileprivate func isOfSameType(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
