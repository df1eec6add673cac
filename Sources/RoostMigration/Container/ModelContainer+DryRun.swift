public import RoostCore

extension ModelContainer {
  /// Tries on a copy what opening a store would do to it, and tells what became of the rows.
  ///
  /// ```swift
  /// let report = try ModelContainer.dryRun(
  ///   for: Note.self, migrationPlan: NotesPlan.self, configurations: configuration)
  /// print(report)
  /// if !report.succeeded { exit(1) }
  /// ```
  /// The copy is made in the system's folder for temporary files, and removed. It takes as much room as the store, and
  /// twice what the migration makes anew. The store is only read; the code of the plan's stages runs as it would there.
  /// - Parameters:
  ///   - forTypes: the models.
  ///   - migrationPlan: how older stores come to this schema.
  ///   - configurations: where the store is; none means a file in the user's data folder.
  /// - Returns: the report. It also says why a migration fails, with all obstacles.
  /// - Throws: ``SwiftDataError`` when the store cannot be copied, or the models make no schema.
  public static func dryRun(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws -> MigrationReport {
    try dryRun(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Tries a migration to a schema on a copy of the store; see the function that takes model types.
  public static func dryRun(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws -> MigrationReport {
    try MigrationRehearsal(
      schema: givenSchema, plan: migrationPlan, configuration: configuration(of: configurations)
    ).run()
  }
}
