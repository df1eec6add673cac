/// One step from a schema version to the next.
///
/// Source: SwiftData's `MigrationStage`.
public enum MigrationStage: Sendable {
  /// A step that follows from the two versions: renames by `originalName`, optional properties, delete rules.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

  /// A step with code before or after the data moves.
  ///
  /// `willMigrate` gets a context of the old models, `didMigrate` one of the new; each saves what it changes. When
  /// one throws, the whole migration is undone.
  @preconcurrency
  case custom(
    fromVersion: any VersionedSchema.Type,
    toVersion: any VersionedSchema.Type,
    willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
    didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)

  /// A step whose changes are said one by one, where they do not follow from the two versions.
  case stepwise(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, steps: [MigrationStep])

  /// A step whose changes are said one by one, where they do not follow from the two versions.
  ///
  /// - Parameters:
  ///   - fromVersion: the older version.
  ///   - toVersion: the newer one.
  ///   - steps: what is to be done beside what follows from the versions.
  /// - Returns: the stage, for a plan's list.
  public static func custom(
    from fromVersion: any VersionedSchema.Type, to toVersion: any VersionedSchema.Type, steps: [MigrationStep]
  ) -> MigrationStage {
    .stepwise(fromVersion: fromVersion, toVersion: toVersion, steps: steps)
  }
}
