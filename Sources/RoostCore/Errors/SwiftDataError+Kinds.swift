extension SwiftDataError {
  // Fetching

  /// A fetch in batches was asked to include pending changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
  /// The predicate has an expression that SQL cannot answer as Swift would.
  public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
  /// The key path names no persisted property of the model.
  public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
  /// Identifiers were to be sorted together with pending changes.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
  /// The sort descriptor compares in a way that SQL cannot.
  public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)

  // Configurations

  /// Two configurations of a container have the same name or the same file.
  public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
  /// The file name that follows from the configuration is longer than a file system allows.
  public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
  /// The configuration's name has characters that a file name may not have.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    .configurationFileNameContainsInvalidCharacters)
  /// A configuration's schema has a model that the container's schema lacks.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    .configurationSchemaNotFoundInContainerSchema)

  // Containers and contexts

  /// The store cannot be opened or migrated.
  public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
  /// A model breaks a rule of its schema, such as a unique constraint, so it cannot be saved.
  public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
  /// The operation needs a model that is in a context.
  public static let missingModelContext = SwiftDataError(.missingModelContext)

  // Migration

  /// The store was written by a version newer than the program's.
  public static let backwardMigration = SwiftDataError(.backwardMigration)
  /// The schema is not one that the migration plan names.
  public static let unknownSchema = SwiftDataError(.unknownSchema)
  /// The store's schema is neither the current one nor one in the migration plan.
  public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)

  // History

  /// The history that the token refers to was deleted.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
  /// The history descriptor asks for what history cannot tell.
  public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

  // Roost's own: SwiftData has no name for these

  /// The container's store was closed or erased.
  public static let storeClosed = SwiftDataError(.storeClosed)
  /// Another container or program migrated the store since this one opened it.
  public static let storeMigrated = SwiftDataError(.storeMigrated)
  /// The store's file, or its write-ahead log, was moved, deleted or replaced since the container opened it.
  ///
  /// Thrown by whatever writes; unsaved changes stay. Fetches go on in the file that was opened, whatever has its name
  /// by now. Close the container and make a new one.
  public static let storeMoved = SwiftDataError(.storeMoved)
  /// A row's column holds a value that is none of the property's type.
  public static let corruptValue = SwiftDataError(.corruptValue)
  /// The model's row is not in the store any more.
  public static let rowNotFound = SwiftDataError(.rowNotFound)
  /// Others changed what a context was to save, and its merge policy is ``ModelContext/MergePolicy/error``.
  public static let mergeConflict = SwiftDataError(.mergeConflict)
  /// The store was opened for reading only.
  public static let readOnlyStore = SwiftDataError(.readOnlyStore)
  /// The model type is not in the container's schema.
  public static let modelNotInSchema = SwiftDataError(.modelNotInSchema)
  /// The model types contradict each other, or one declares what no store can keep.
  public static let invalidSchema = SwiftDataError(.invalidSchema)

  // Roost's own: what SQLite reports, with its code in ``sqliteCode`` and the statement in ``sql``

  /// Another connection or process held a lock for longer than the store's busy timeout.
  public static let storeBusy = SwiftDataError(.storeBusy)
  /// The disk, or the quota, has no room for what was to be written.
  public static let storeFull = SwiftDataError(.storeFull)
  /// The system could not read, write or open the store's files.
  public static let storeInputOutput = SwiftDataError(.storeInputOutput)
  /// The store's file is damaged, or no database any more.
  public static let storeDamaged = SwiftDataError(.storeDamaged)
  /// The store's file is encrypted, or no database at all, and the configuration has no key.
  public static let storeEncrypted = SwiftDataError(.storeEncrypted)
  /// The store's file is not encrypted, and the configuration has a key.
  public static let storeNotEncrypted = SwiftDataError(.storeNotEncrypted)
  /// The store's file is encrypted with another key than the configuration has, or its first page is damaged.
  public static let wrongStoreKey = SwiftDataError(.wrongStoreKey)
  /// The task was cancelled while it waited for the store.
  public static let storeWaitCancelled = SwiftDataError(.storeWaitCancelled)
  /// SQLite refused a statement for any other reason, such as a table that another program removed.
  public static let storeFailure = SwiftDataError(.storeFailure)
  /// SQL of the program's own is not what SQLite, or the call that it was given to, can run.
  public static let invalidSQL = SwiftDataError(.invalidSQL)
}
