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
    for (index, step) in steps.enumerated() {
      switch step.action {
      case .compute(let computation): try apply(computation, index, from: old, to: new)
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
    else { return }
    for source in sources where source.owner.table != table {
      throw SwiftDataError.unsupportedKeyPath(
        "`\(source.name)` is in other rows than `\(target.name)`: a step computes a property of the same row's.",
        model: source.owner.name)
    }
    let row = SchemaMapping.oldRow
    let values = sources.compactMap(\.column).map { SQLExpression.column(row, $0) }
    tables[place].values[column] = .function(
      .step, [.integer(Int64(index)), .column(row, primaryKeyColumn)] + values)
    tables[place].constants[column] = nil
    checks.removeAll { $0.model == target.owner.name && $0.property == target.name && $0.drop == nil }
    // What it was is seen by the step.
    for source in sources { allowDrop("\(source.owner.name).\(source.name)") }
  }

  private mutating func allowDrop(_ name: String) { checks.removeAll { $0.drop?.name == name } }
}

extension Array where Element == MigrationStep {
  /// Adds the function that the statements of ``SchemaMapping/apply(_:from:to:)`` call.
  func addFunction(to connection: Connection, from old: SchemaInfo, to new: SchemaInfo) throws {
    let computations = try map { step -> RunnableComputation? in
      guard case .compute(let computation) = step.action else { return nil }
      return try RunnableComputation(computation, from: old, to: new)
    }
    connection.addFunction(SQLFunction.step.name, arguments: -1, isDeterministic: false) { arguments in
      let index = Int(arguments.int64(0))
      guard computations.indices.contains(index), let computation = computations[index] else { return .null }
      return try computation.run(arguments)
    }
  }
}

/// A computation with the codecs of its properties.
private struct RunnableComputation: Sendable {
  let computation: Computation
  let sources: [any _AttributeCodec.Type]
  let target: any _AttributeCodec.Type
  let name: String

  init(_ computation: Computation, from old: SchemaInfo, to new: SchemaInfo) throws {
    self.computation = computation
    sources = try computation.sources.map { try $0.attribute(in: old).1 }
    let (property, codec) = try computation.target.attribute(in: new)
    (target, name) = (codec, "\(property.owner.name).\(property.name)")
  }

  func run(_ arguments: FunctionArguments) throws -> DatabaseValue {
    var row = ComputedRow(arguments, sources: sources, target: target)
    do {
      try computation.body(&row)
      return row.result
    } catch {
      throw DatabaseError(
        code: DatabaseError.misuse,
        message: "the step that computes \(name) failed at row \(arguments.int64(1)): \(error)")
    }
  }
}
