public import RoostCore

extension ModelContainer {
  /// Opens, and creates where needed, the store of some model types and of all that their relationships refer to.
  ///
  /// - Parameters:
  ///   - forTypes: the models.
  ///   - migrationPlan: how older stores come to this schema.
  ///   - configurations: where the store is; none means a file in the user's data folder.
  /// - Throws: ``SwiftDataError`` with the path and a remedy when the store cannot be opened.
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the store of a schema; see the initialiser that takes model types.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the store of a schema with a list of configurations.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations, monitor: nil)
  }

  convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, configurations: [ModelConfiguration],
    monitor: MigrationMonitor?
  ) throws {
    let configuration = try Self.configuration(of: configurations)
    let info = try givenSchema.info()
    let startCompanion = try configuration.checkCompanion(info, of: givenSchema.programVersion(in: migrationPlan))
    let store = try Store(
      opening: configuration, schema: info, version: givenSchema.version(in: migrationPlan),
      plan: migrationPlan, monitor: monitor)
    self.init(
      of: store, like: Parts(schema: givenSchema, migrationPlan: migrationPlan, configurations: [configuration]))
    if let startCompanion { try store.startCompanion(startCompanion) }
  }
}
