import RoostCore

extension MigrationRoute {
  /// What becomes of a model on the way.
  package struct Fate {
    /// The model's name where the way begins.
    package let old: String
    /// Its name where the way ends; nil when it is gone.
    package fileprivate(set) var new: String?
    /// Whether a step says that rows of it go.
    package fileprivate(set) var mayLoseRows = false
  }

  /// What becomes of each model of a version that the way begins with.
  package func fates(from start: PlannedVersion) throws -> [Fate] {
    var fates = start.definition.entities.map { Fate(old: $0.name, new: $0.name) }
    for leg in legs {
      let mapping = try SchemaMappingBuilder(from: leg.from.definition, to: leg.to.schema).mapping
      let names = Dictionary(mapping.sources.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
      let losing = leg.modelsLosingRows
      for index in fates.indices {
        guard let name = fates[index].new else { continue }
        if losing.contains(name) { fates[index].mayLoseRows = true }
        fates[index].new = names[name]
      }
    }
    return fates
  }
}

extension MigrationRoute.Leg {
  /// Those that steps drop or deduplicate, and what shares their tables, by their names in the older version.
  fileprivate var modelsLosingRows: Set<String> {
    Set(
      stage.steps.flatMap { step -> [String] in
        switch step.action {
        case .dropModel(let model): [from.schema.entity(for: model)?.name].compactMap { $0 }
        case .deduplicate(let paths, _):
          paths.compactMap { from.schema.entity(for: $0.model) }.flatMap { $0.root.selfAndDescendants.map(\.name) }
        case .compute, .extract, .fill, .backfill, .dropProperty, .sql: []
        }
      })
  }
}

extension PlannedVersion {
  /// The name of the model at the top of another one's inheritance chain: their keys are the same rows'.
  package func rootName(of model: String) -> String { schema.entity(named: model)?.root.name ?? model }
}
