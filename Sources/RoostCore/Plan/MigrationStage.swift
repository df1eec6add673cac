/// One step from a schema version to the next.
///
/// Source: SwiftData's `MigrationStage`.
public enum MigrationStage: Sendable {
  /// A step that follows from the two versions: renames by `originalName`, optional properties, delete rules.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

  /// A step with code before or after the data moves.
  ///
  /// `willMigrate` gets a context of the old models, `didMigrate` one of the new; each saves what it
  /// changes. When one throws, the whole migration is undone; so it is when `didMigrate` leaves rows without
  /// what the new version requires.
  @preconcurrency
  case custom(
    fromVersion: any VersionedSchema.Type,
    toVersion: any VersionedSchema.Type,
    willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
    didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)

  /// A step whose changes are said one by one, or done by code that sees both versions.
  case stepwise(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, steps: [MigrationStep],
    migrate: (@Sendable (_ old: ModelContext, _ new: ModelContext) throws -> Void)?)

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
    .stepwise(fromVersion: fromVersion, toVersion: toVersion, steps: steps, migrate: nil)
  }

  /// A step with code that has the old models and the new ones open at once.
  ///
  /// ```swift
  /// .custom(from: V1.self, to: V2.self) { old, new in
  ///   try new.update(V2.Note.self, from: V1.Note.self, in: old) { before, after in
  ///     after.words = before.text.split(separator: " ").count
  ///   }
  /// }
  /// ```
  /// The new rows are there when it runs: they have the keys of the old ones, what follows from the versions, and what
  /// the steps say. What is required and has no value is left to the code, and rows that it leaves are obstacles. What
  /// is done in `old` is lost. What it leaves unsaved in `new` is saved, and what it throws undoes the migration. New
  /// models have no unique constraints before it ends.
  /// - Parameters:
  ///   - fromVersion: the older version.
  ///   - toVersion: the newer one.
  ///   - steps: what is to be done first.
  ///   - migrate: what is to be done then, with contexts of both versions.
  /// - Returns: the stage, for a plan's list.
  public static func custom(
    from fromVersion: any VersionedSchema.Type, to toVersion: any VersionedSchema.Type, steps: [MigrationStep] = [],
    migrate: @escaping @Sendable (_ old: ModelContext, _ new: ModelContext) throws -> Void
  ) -> MigrationStage {
    .stepwise(fromVersion: fromVersion, toVersion: toVersion, steps: steps, migrate: migrate)
  }
}
