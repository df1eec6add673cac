/// How a store of any released version becomes one of the newest.
///
/// Source: SwiftData's `SchemaMigrationPlan`.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// All released versions, the oldest first. Those that a stage names belong to them, too.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The steps between them, run in order from the store's version to the newest.
  static var stages: [MigrationStage] { get }
}
