package import RoostCore

/// The stages of a plan that lead from a store's version to the program's.
package struct MigrationRoute {
  /// One stage, with what its versions are.
  struct Leg {
    let stage: MigrationStage
    let from: PlannedVersion
    let to: PlannedVersion
  }

  let legs: [Leg]

  /// - Parameters:
  ///   - plan: the program's plan.
  ///   - stored: what the file says of itself.
  ///   - target: what the program wants.
  /// - Throws: `SwiftDataError` when the plan contradicts itself, or has no stages from the one to the other.
  package init(_ plan: any SchemaMigrationPlan.Type, from stored: StoreDefinition, to target: StoreDefinition) throws {
    let versions = try MigrationPlanCheck.versions(of: plan)
    let isEnd = { (version: PlannedVersion) in target.isServed(by: version.definition) }
    guard let end = versions.lastIndex(where: isEnd) else {
      throw SwiftDataError(
        .unknownSchema,
        "The container's models are none of \(plan)'s versions. From the last, \(versions.last?.name ?? "none"), they"
          + " differ:\n  " + Self.differences(target, from: versions.last),
        remedy: "Make the container for the models of the last version, or add a version that has these.")
    }
    let isStart = { (version: PlannedVersion) in version.definition.isServed(by: stored) }
    guard let start = versions.lastIndex(where: isStart) else {
      throw Self.unknownStore(stored, plan, versions)
    }
    // Of a version whose structs ask for less the store may be one as well: then no stage is needed to there.
    let starts = [versions.lastIndex { $0.isSame(as: stored) }, start].compactMap(\.self)
    let ends = [versions.lastIndex { $0.isSame(as: target) }, end].compactMap(\.self)
    for end in ends {
      for start in starts {
        guard let legs = try? Self.legs(plan.stages, versions, from: start, to: end) else { continue }
        self.legs = legs
        return
      }
    }
    legs = try Self.legs(plan.stages, versions, from: start, to: end)
  }

  /// The shortest way, stage by stage.
  private static func legs(
    _ stages: [MigrationStage], _ versions: [PlannedVersion], from start: Int, to end: Int
  ) throws -> [Leg] {
    var ways: [Int: [Leg]] = [start: []]
    var waiting = [start]
    while !waiting.isEmpty {
      let here = waiting.removeFirst()
      if here == end { return ways[here] ?? [] }
      for stage in stages where stage.from == versions[here].type {
        guard let there = versions.firstIndex(where: { $0.type == stage.to }), ways[there] == nil else { continue }
        ways[there] = (ways[here] ?? []) + [Leg(stage: stage, from: versions[here], to: versions[there])]
        waiting.append(there)
      }
    }
    let (from, to) = (versions[start].name, versions[end].name)
    if start > end {
      throw SwiftDataError(
        .backwardMigration, "The store has version \(from), which is newer than the program's, \(to).",
        remedy: "Update the program, or give its plan a stage back: .lightweight(fromVersion: \(from).self, toVersion:"
          + " \(to).self).")
    }
    let reached = ways.keys.max() ?? start
    let next = versions.indices.contains(reached + 1) ? reached + 1 : end
    throw SwiftDataError(
      .unknownSchema, "The plan's stages do not lead from the store's version, \(from), to the program's, \(to).",
      remedy: "Add a stage: .lightweight(fromVersion: \(versions[reached].name).self, toVersion:"
        + " \(versions[next].name).self).")
  }

  private static func unknownStore(
    _ stored: StoreDefinition, _ plan: any SchemaMigrationPlan.Type, _ versions: [PlannedVersion]
  ) -> SwiftDataError {
    if let version = stored.version, let newest = versions.last, version > newest.number {
      return SwiftDataError(
        .backwardMigration, "The store has version \(version), and the newest of \(plan) is \(newest.number).",
        remedy: "Update the program.")
    }
    let nearest = versions.min {
      $0.definition.differences(from: stored).count < $1.definition.differences(from: stored).count
    }
    return SwiftDataError(
      .unknownDataStoreSchema,
      "The store has the models of none of \(plan)'s versions. From the nearest, \(nearest?.name ?? "none"), it"
        + " differs:\n  " + (nearest.map { differences($0.definition, from: stored) } ?? ""),
      remedy: "Add the version that the store was written with to the plan, and a stage from it.")
  }

  private static func differences(_ definition: StoreDefinition, from stored: StoreDefinition) -> String {
    definition.differences(from: stored).joined(separator: "\n  ")
  }

  private static func differences(_ definition: StoreDefinition, from version: PlannedVersion?) -> String {
    version.map { differences(definition, from: $0.definition) } ?? ""
  }
}

extension StoreDefinition {
  /// Whether a program with this schema opens a file with another as it is.
  ///
  /// A struct in an attribute may have lost keys, or gained some that may be missing. Then a plan's stage between
  /// these versions is run though no table changes, if it does more than that. What is wrong with a plan is told
  /// when it is needed.
  func isServed(by stored: StoreDefinition, under plan: (any SchemaMigrationPlan.Type)?) -> Bool {
    guard isServed(by: stored) else { return false }
    guard let plan, entities.contains(where: { stored.entity(named: $0.name) != $0 }) else { return true }
    guard let route = try? MigrationRoute(plan, from: stored, to: self) else { return true }
    return route.legs.allSatisfy { if case .lightweight = $0.stage { true } else { false } }
  }
}

/// A version of a plan, with what a file of it says of itself.
package struct PlannedVersion {
  package let type: any VersionedSchema.Type
  let schema: SchemaInfo
  package let definition: StoreDefinition

  package init(_ type: any VersionedSchema.Type) throws {
    self.type = type
    schema = try Schema(versionedSchema: type).info()
    definition = try StoreDefinition(schema, version: type.versionIdentifier)
  }

  /// Whether a file of this version could be one of a definition, and the other way round.
  func isSame(as other: StoreDefinition) -> Bool { definition.isServed(by: other) && other.isServed(by: definition) }

  package var number: Schema.Version { type.versionIdentifier }
  package var name: String { String(describing: type) }
}

extension MigrationStage {
  /// What is said beside what follows from the versions.
  var steps: [MigrationStep] {
    if case .stepwise(_, _, let steps, _) = self { steps } else { [] }
  }

  /// What code a stage may have.
  enum Code {
    /// That has the models of one version at a time.
    case ofEach
    /// That has the models of both versions at once.
    case ofBoth
  }

  /// nil when it has none.
  var code: Code? {
    switch self {
    case .lightweight: nil
    case .custom(_, _, let willMigrate, let didMigrate): willMigrate == nil && didMigrate == nil ? nil : .ofEach
    case .stepwise(_, _, _, let migrate): migrate == nil ? nil : .ofBoth
    }
  }

  var from: any VersionedSchema.Type {
    switch self {
    case .lightweight(let version, _), .custom(let version, _, _, _), .stepwise(let version, _, _, _): version
    }
  }

  var to: any VersionedSchema.Type {
    switch self {
    case .lightweight(_, let version), .custom(_, let version, _, _), .stepwise(_, let version, _, _): version
    }
  }
}
