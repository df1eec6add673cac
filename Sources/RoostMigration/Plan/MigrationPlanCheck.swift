import Foundation
package import RoostCore

/// Finds mistakes in a plan that no store can make up for.
package enum MigrationPlanCheck {
  /// The plan's versions, the oldest first.
  ///
  /// - Throws: `SwiftDataError.unknownSchema` naming the versions that contradict each other, or `invalidSchema`.
  package static func versions(of plan: any SchemaMigrationPlan.Type) throws -> [PlannedVersion] {
    let versions = try plan.allSchemas.map(PlannedVersion.init)
    if versions.isEmpty {
      throw problem(plan, "It has no versions.", "List them in its schemas, the oldest first.")
    }
    for (older, newer) in zip(versions, versions.dropFirst()) where older.number >= newer.number {
      throw problem(
        plan, "\(newer.name) has the number \(newer.number), and \(older.name), before it, \(older.number).",
        "Number the versions in the order of the plan's schemas.")
    }
    for (index, version) in versions.enumerated() {
      guard let twin = versions[..<index].first(where: { $0.isSame(as: version.definition) }) else { continue }
      throw problem(
        plan, "\(twin.name) and \(version.name) have the same models, so that no store tells one from the other.",
        "Remove one, or mark a property that changed its meaning @Attribute(hashModifier: \"2\").")
    }
    try check(plan, versions)
    return versions
  }

  private static func check(_ plan: any SchemaMigrationPlan.Type, _ versions: [PlannedVersion]) throws {
    var ways: Set<[ObjectIdentifier]> = []
    for stage in plan.stages {
      if stage.from == stage.to {
        throw problem(plan, "A stage leads from \(stage.from) to itself.", "Remove it, or name the next version.")
      }
      if !ways.insert([ObjectIdentifier(stage.from), ObjectIdentifier(stage.to)]).inserted {
        throw problem(plan, "Two stages lead from \(stage.from) to \(stage.to).", "Make them one.")
      }
      try checkSteps(of: stage, plan, versions)
    }
  }

  /// Some store will have rows, even if this one has none.
  private static func checkSteps(
    of stage: MigrationStage, _ plan: any SchemaMigrationPlan.Type, _ versions: [PlannedVersion]
  ) throws {
    // What the code of a stage does is not known before it runs.
    if case .custom = stage { return }
    guard let from = versions.first(where: { $0.type == stage.from }),
      let to = versions.first(where: { $0.type == stage.to })
    else { return }
    var mapping = try SchemaMappingBuilder(from: from.definition, to: to.schema).mapping
    try mapping.apply(stage.steps, from: from.schema, to: to.schema)
    _ = try stage.backfills()
    let missing = mapping.checks.filter { $0.isCertain && ($0.gap == nil || stage.code == nil) }.map { check in
      MigrationObstacle(
        model: check.model, property: check.place, message: check.message, remedy: check.remedy)
    }
    if missing.isEmpty { return }
    throw SwiftDataError(
      obstacles: missing,
      "\(plan): the stage from \(stage.from) to \(stage.to) lacks steps:\n  "
        + missing.map { $0.description.replacing("\n", with: "\n  ") }.joined(separator: "\n  ") + "\n ",
      remedy: "Make it .custom(from: \(stage.from).self, to: \(stage.to).self, steps: […]) with them.", url: nil)
  }

  private static func problem(
    _ plan: any SchemaMigrationPlan.Type, _ message: String, _ remedy: String
  ) -> SwiftDataError {
    SwiftDataError(.unknownSchema, "\(plan): \(message)", remedy: remedy)
  }
}

extension SchemaMigrationPlan {
  /// The plan's schemas, and in their midst those that only a stage names, by their numbers.
  package static var allSchemas: [any VersionedSchema.Type] {
    var schemas = schemas
    for version in stages.flatMap({ [$0.from, $0.to] }) where !schemas.contains(where: { $0 == version }) {
      let next = schemas.firstIndex { $0.versionIdentifier > version.versionIdentifier }
      schemas.insert(version, at: next ?? schemas.endIndex)
    }
    return schemas
  }
}

extension Schema {
  /// Which version of a plan's program the schema is.
  func programVersion(in plan: (any SchemaMigrationPlan.Type)?) throws -> ProgramVersion {
    let own = version(in: plan)
    let former = (plan?.allSchemas ?? []).filter { $0.versionIdentifier < own }
    return ProgramVersion(number: own, former: try former.map { try Schema(versionedSchema: $0).info() })
  }

  /// The number of the schema in a plan, whose versions a container's types need not name.
  func version(in plan: (any SchemaMigrationPlan.Type)?) -> Version {
    guard let plan, let info = try? info() else { return version }
    let planned = plan.allSchemas.last { $0.models.allSatisfy { info.entity(for: $0) != nil } }
    return planned?.versionIdentifier ?? version
  }
}
