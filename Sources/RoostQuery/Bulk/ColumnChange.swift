import Foundation
import RoostCore
import RoostSQL

/// One column that an update in bulk sets.
struct ColumnChange {
  let property: PropertyInfo
  /// What the column gets; what no column of its type takes where the value cannot be computed.
  let value: SQLExpression
  /// The entities' tables that the value is read from.
  let tables: Set<String>
  /// Gives a model in memory the value that the database has computed.
  let edit: (any PersistentModel, SQLValue) -> Void

  /// Whether the database could compute a value.
  func isValue(_ stored: SQLValue) -> Bool {
    if case .attribute(let codec) = property.kind { codec.canDecode(stored) } else { true }
  }

  var assignments: [SQLAssignment] {
    guard let column = property.column else { return [] }
    let assignment = SQLAssignment(column, value)
    guard let position = property.inverseList?.positionColumn else { return [assignment] }
    // In another list the row stands where its key says.
    let isSame = SQLExpression.binary(.is, .column("t0", column), value)
    let place = SQLExpression.conditional(
      [SQLBranch(when: isSame, then: .column("t0", position))], otherwise: .null)
    return [assignment, SQLAssignment(position, place)]
  }
}

extension PropertyInfo {
  /// The list that refers to the models of this to-one relationship.
  fileprivate var inverseList: RelationshipInfo? {
    guard let relationship, let inverse = relationship.inverse else { return nil }
    let property = relationship.destination.properties[inverse]
    return property.isList ? property.relationship : nil
  }
}

extension ColumnChange {
  /// `showsPending`: whether the value is read on a connection that shows the context's pending changes.
  init<Model: PersistentModel>(
    _ assignment: Assignment<Model>, _ entity: EntityInfo, in context: ModelContext, showsPending: Bool = false
  ) throws {
    let property = try Self.property(assignment.keyPath, of: entity)
    let (core, schema) = (context.core, context.store.schema)
    // A builder of its own, so that what one value needs joined is in no other's way.
    let query = QueryBuilder(
      root: entity, store: context.store.identifier,
      tellsValues: context.store.configuration.storeOptions.reportsArguments,
      isPending: { showsPending && core.hasPending(in: [$0]) }, entity: { schema.entity(for: $0) })
    let translator = query.translator
    let (sql, failure) = try translator.collectingFailures {
      let term = try assignment.term(query)
      switch property.kind {
      case .attribute(let codec): return try translator.stored(term, in: property, codec, of: entity)
      case .toOne(let relationship):
        return try context.key(of: term, for: property, relationship, of: entity)
      case .toMany: throw Self.unsettable(property, of: entity, "It refers to many models.", remedy: "Set it in each.")
      }
    }
    var value = sql
    // A REAL instead of an integer is refused by the column itself.
    if failure != .false, failure != .negation(sql.isInteger) {
      value = .conditional([SQLBranch(when: failure, then: property.refusedValue)], otherwise: value)
    }
    if !query.scope.joins.isEmpty {
      value = .subquery(
        SQLSelect(
          [SQLResultColumn(value)], from: .select(SQLSelect(), alias: "one"), joins: query.scope.joins))
    }
    // What is pending is read before anything is written.
    if !showsPending, SQLSelect([SQLResultColumn(value)]).selfAndInner.contains(where: { $0.reads(entity.table) }) {
      throw SwiftDataError(
        .unsupportedPredicate, "The new value is read from other rows of \(entity.table), which the update changes.",
        model: entity.name, property: property.name,
        remedy: "Fetch the values first, or set the property of each model.")
    }
    self.property = property
    self.value = value
    tables = translator.usesTables.subtracting([entity.table])
    edit = { model, stored in
      if let model = (model as AnyObject) as? Model { assignment.edit(model, stored, property) }
    }
  }

  /// The property that an update may set.
  private static func property(_ keyPath: AnyKeyPath, of entity: EntityInfo) throws -> PropertyInfo {
    guard let property = entity.property(for: keyPath) else {
      if let name = entity.ephemeralName(for: keyPath) {
        throw SwiftDataError.ephemeralKeyPath(name, model: entity.name)
      }
      if let field = entity.fieldPath(for: keyPath), let property = field.properties.first {
        throw unsettable(
          property, of: entity, "`\(keyPath.sourceText)` is part of a value.",
          remedy: "Set `\(property.name)` as a whole, or the part in each model.")
      }
      if let path = entity.path(for: keyPath), let property = path.first {
        throw unsettable(
          property, of: entity, "`\(keyPath.sourceText)` is a property of another model.",
          remedy: "Update \(path.last?.owner.name ?? "that model") instead.")
      }
      throw SwiftDataError.unsupportedKeyPath(
        "`\(keyPath.sourceText)` is no stored property of \(entity.name), so that an update in bulk cannot set it.",
        model: entity.name)
    }
    if property.isExternal {
      throw unsettable(
        property, of: entity, "Its values may be in files, for it is `.externalStorage`.",
        remedy: "Set it in each model, and save.")
    }
    return property
  }

  static func unsettable(
    _ property: PropertyInfo, of entity: EntityInfo, _ reason: String, remedy: String
  ) -> SwiftDataError {
    SwiftDataError(
      .unsupportedKeyPath, "An update in bulk cannot set the property. \(reason)", model: entity.name,
      property: property.name, remedy: remedy)
  }
}

extension PropertyInfo {
  /// What a column of a `STRICT` table refuses, to fail an update with: SQL has no way to throw.
  fileprivate var refusedValue: SQLExpression {
    if case .attribute(let codec) = kind, codec.columnType == .blob { return .text("") }
    return .value(.blob(Data()))
  }
}

extension SQLSelect {
  /// Whether it reads what an update of a table may change. That leaves the keys, which say whether a row is there.
  fileprivate func reads(_ name: String) -> Bool {
    if columns.count == 1, case .column(_, primaryKeyColumn) = columns[0].expression, joins.isEmpty,
      case .binary(.equal, .column(_, primaryKeyColumn), _) = filter
    {
      return false
    }
    return ([from].compactMap(\.self) + joins.map(\.table)).contains { table in
      if case .table(name, _) = table { true } else { false }
    }
  }
}

extension _AttributeCodec {
  fileprivate static func canDecode(_ value: SQLValue) -> Bool { decode(value) != nil }
}
