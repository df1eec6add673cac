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
}
