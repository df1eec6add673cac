import RoostCore
import RoostEngine
import RoostSQL

extension SQLFunction {
  static let step = SQLFunction("roost_step")
}

extension SchemaMapping {
  /// Puts the steps of a stage in the place of what would have been inferred, or refused.
  ///
  /// - Parameters:
  ///   - steps: what the program says.
  ///   - old: the models of the old version.
  ///   - new: those of the new one.
  /// - Throws: `SwiftDataError.unsupportedKeyPath` when a step names what its version does not have.
  mutating func apply(_ steps: [MigrationStep], from old: SchemaInfo, to new: SchemaInfo) throws {
    for (index, computation) in steps.computations.enumerated() {
      try apply(computation, index, from: old, to: new)
    }
    for step in steps {
      switch step.action {
      case .compute: break
      case .extract(let extraction): try apply(extraction, from: old, to: new)
      case .fill(let path): try fill(path, in: new)
      // What the rows have until then is seen by nobody.
      case .backfill(let computation): try fill(computation.target, in: new)
      case .dropProperty(let path):
        let property = try path.stored(in: old)
        allowDrop("\(property.owner.name).\(property.name)")
      case .dropModel(let model):
        guard let entity = old.entity(for: model) else {
          throw SwiftDataError.unsupportedKeyPath(
            "A step of a migration drops \(String(reflecting: model)), which is no model of the old version.")
        }
        allowDrop(entity.name)
      case .deduplicate(let paths, _):
        for path in paths { _ = try path.attribute(in: old) }
      case .sql: break
      }
    }
  }

  private mutating func apply(
    _ computation: Computation, _ index: Int, from old: SchemaInfo, to new: SchemaInfo
  ) throws {
    let (target, _) = try computation.target.attribute(in: new)
    let sources = try computation.sources.map { try $0.attribute(in: old).0 }
    guard let place = tables.firstIndex(where: { $0.entity === target.owner.root }), let column = target.column,
      let table = tables[place].source
    else {
      throw SwiftDataError.unsupportedKeyPath(
        "A step computes `\(target.name)`, and the older version has no rows that become those of"
          + " \(target.owner.name).", model: target.owner.name)
    }
    for source in sources where source.owner.table != table {
      throw SwiftDataError.unsupportedKeyPath(
        "`\(source.name)` is in other rows than `\(target.name)`: a step computes a property of the same row's.",
        model: source.owner.name)
    }
    let value = SQLExpression.function(
      .step,
      [.integer(Int64(index)), .column(Self.oldRow, primaryKeyColumn)] + sources.compactMap(Self.content(of:)))
    let types = Set(target.owner.selfAndDescendants.compactMap { self.sources[$0.name]?.name })
    let needed = sources.filter { $0.owner.superentity != nil && !$0.isOptional }
    let given = needed.reduce(types) { $0.intersection($1.owner.typeNames) }
    if given == types {
      tables[place].values[column] = value
      checks.removeAll { $0.model == target.owner.name && $0.property == target.name && $0.drop == nil }
    } else {
      // Rows of other classes lack what the step must have: they get what they would get without it.
      let isGiven = SQLExpression.inList(.column(Self.oldRow, entityNameColumn), given.sorted().map { .text($0) })
      tables[place].values[column] = .conditional(
        [SQLBranch(when: isGiven, then: value)], otherwise: tables[place].values[column])
      for index in checks.indices
      where checks[index].model == target.owner.name && checks[index].property == target.name
        && checks[index].drop == nil
      {
        checks[index].rows.restrict(!isGiven)
        checks[index].isCertain = false
      }
    }
    // What it was is seen by the step.
    for source in sources { allowDrop("\(source.owner.name).\(source.name)") }
  }

  /// What an old row has of an attribute, also where that is in a file.
  private static func content(of source: PropertyInfo) -> SQLExpression? {
    guard let column = source.column, case .attribute(let codec) = source.kind else { return nil }
    let value = SQLExpression.column(oldRow, column)
    return source.isExternal ? .function(.externalValue, [value, .text(codec.columnType.rawValue)]) : value
  }

  /// Fills a new model's table from the rows of another one's, whose keys it takes.
  private mutating func apply(_ extraction: Extraction, from old: SchemaInfo, to new: SchemaInfo) throws {
    let relationship = try extraction.relationship.stored(in: new)
    let sources = try extraction.sources.map { try $0.attribute(in: old).0 }
    let targets = try extraction.targets.map { try $0.attribute(in: new).0 }
    guard let owner = tables.firstIndex(where: { $0.entity === relationship.owner.root }),
      let made = relationship.relationship?.destination,
      let place = tables.firstIndex(where: { $0.entity === made }), let column = relationship.column,
      let source = tables[owner].source
    else {
      throw SwiftDataError.unsupportedKeyPath(
        "A step extracts what `\(relationship.name)` refers to, which is no relationship to one model, or whose owners"
          + " are new.", model: relationship.owner.name)
    }
    guard tables[place].source == nil, sources.allSatisfy({ $0.owner.table == source }) else {
      throw SwiftDataError.unsupportedKeyPath(
        "A step extracts \(made.name), which is not new, or from another model than the one that refers to it.",
        model: relationship.owner.name)
    }
    let (row, columns) = (SchemaMapping.oldRow, sources.compactMap(\.column))
    let key = SQLExpression.column(row, primaryKeyColumn)
    let isGiven = SQLExpression.any(columns.map { .isNotNull(.column(row, $0)) })
    tables[place].source = source
    tables[place].isExtracted = true
    tables[place].filter = tables[owner].filter.map { .all([$0, isGiven]) } ?? isGiven
    tables[place].values = [primaryKeyColumn: key]
    for (target, source) in zip(targets, sources) {
      guard let own = target.column, let column = source.column else { continue }
      tables[place].values[own] = target.isExternal ? .column(row, column) : Self.content(of: source)
    }
    // A partner refers back, by its own column.
    if let inverse = relationship.relationship?.inverse, let back = made.properties[inverse].column {
      tables[place].values[back] = key
    }
    for property in made.properties where property.column.map({ tables[place].values[$0] == nil }) ?? false {
      try fill(property, at: place)
    }
    tables[owner].values[column] = .conditional([SQLBranch(when: isGiven, then: key)], otherwise: nil)
    for source in sources { allowDrop("\(source.owner.name).\(source.name)") }
  }

  private mutating func fill(_ path: PropertyPath, in schema: SchemaInfo) throws {
    let (property, codec) = try path.attribute(in: schema)
    guard let place = tables.firstIndex(where: { $0.entity === property.owner.root }), let column = property.column
    else { return }
    tables[place].values[column] = .value(try Self.empty(property, codec))
    checks.removeAll { $0.model == property.owner.name && $0.property == property.name && $0.drop == nil }
  }

  /// Gives a property of an extracted model its default.
  private mutating func fill(_ property: PropertyInfo, at place: Int) throws {
    guard let column = property.column else { return }
    if case .attribute(let codec) = property.kind, let value = StoredDefault(property, codec) {
      tables[place].values[column] = value.expression
    } else if !property.isOptional {
      throw SwiftDataError.unsupportedKeyPath(
        "A step extracts \(property.owner.name), and `\(property.name)`, which may not be nil, is not among its"
          + " properties.", model: property.owner.name)
    }
  }

  /// Leaves what rows lack to the code of a stage: until it has set that, they have an
  /// empty value, or refer to no model.
  ///
  /// Returns the rows.
  mutating func leaveGaps() throws -> [MigrationCheck] {
    let gaps = checks.filter { $0.gap != nil }
    checks.removeAll { $0.gap != nil }
    for check in gaps {
      guard let property = check.gap, !property.isOptional, let column = property.column,
        let place = tables.firstIndex(where: { $0.entity === property.owner.root })
      else { continue }
      var empty = SQLExpression.integer(0)
      if case .attribute(let codec) = property.kind { empty = .value(try Self.empty(property, codec)) }
      // No constant, which would stay in the table as the column's default.
      tables[place].values[column] = .function(.coalesce, [tables[place].values[column] ?? .null, empty])
    }
    return gaps
  }

  private static func empty<Codec: _AttributeCodec>(_ property: PropertyInfo, _ codec: Codec.Type) throws -> SQLValue {
    try property.placeholder(codec).map { try codec.encode($0) } ?? .null
  }

  private mutating func allowDrop(_ name: String) { checks.removeAll { $0.drop?.name == name } }
}

extension Array where Element == MigrationStep {
  /// Adds the function that the statements of ``SchemaMapping/apply(_:from:to:)`` call.
  func addFunction(to connection: Connection, from old: SchemaInfo, to new: SchemaInfo) throws {
    let computations = try self.computations.map { try RunnableComputation($0, from: old, to: new) }
    let tellsValues = connection.options.reportsArguments
    connection.addFunction(SQLFunction.step.name, arguments: -1, isDeterministic: false) { arguments in
      let index = Int(arguments.int64(0))
      return computations.indices.contains(index) ? try computations[index].run(arguments, tellsValues) : .null
    }
  }

  /// All computations, in the order of the steps.
  fileprivate var computations: [Computation] {
    flatMap { step -> [Computation] in
      if case .compute(let computations) = step.action { computations } else { [] }
    }
  }
}

/// A computation with the codecs of its properties.
struct RunnableComputation: Sendable {
  private let computation: Computation
  private let sources: [any _AttributeCodec.Type]
  private let target: any _AttributeCodec.Type
  private let name: String

  init(_ computation: Computation, from old: SchemaInfo, to new: SchemaInfo) throws {
    self.computation = computation
    sources = try computation.sources.map { try $0.attribute(in: old).1 }
    let (property, codec) = try computation.target.attribute(in: new)
    (target, name) = (codec, "\(property.owner.name).\(property.name)")
  }

  func run(_ arguments: FunctionArguments, _ tellsValues: Bool) throws -> DatabaseValue {
    var row = ComputedRow(arguments, sources: sources, target: target)
    do {
      try computation.body(&row)
      return row.result
    } catch {
      let reason = SwiftDataError.reason(error, tellsValues: tellsValues)
      throw DatabaseError(
        code: DatabaseError.misuse,
        message: "the step that computes \(name) failed at row \(arguments.int64(1)): \(reason)")
    }
  }
}
