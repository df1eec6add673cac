extension SwiftDataError {
  /// The kinds of errors, with what can be said of each without knowing more.
  package enum Code: String, Sendable {
    case includePendingChangesWithBatchSize
    case unsupportedPredicate
    case unsupportedKeyPath
    case sortingPendingChangesWithIdentifiers
    case unsupportedSortDescriptor
    case duplicateConfiguration
    case configurationFileNameTooLong
    case configurationFileNameContainsInvalidCharacters
    case configurationSchemaNotFoundInContainerSchema
    case loadIssueModelContainer
    case modelValidationFailure
    case missingModelContext
    case backwardMigration
    case unknownSchema
    case unknownDataStoreSchema
    case historyTokenExpired
    case invalidTransactionFetchRequest
    // Roost's own.
    case storeClosed
    case storeMigrated
    case storeMoved
    case corruptValue
    case rowNotFound
    case mergeConflict
    case readOnlyStore
    case modelNotInSchema
    case invalidSchema
    case storeBusy
    case storeFull
    case storeInputOutput
    case storeDamaged
    case storeEncrypted
    case storeNotEncrypted
    case wrongStoreKey
    case storeWaitCancelled
    case storeFailure
    case invalidSQL

    var message: String {
      switch self {
      case .includePendingChangesWithBatchSize: "A fetch in batches cannot include pending changes."
      case .unsupportedPredicate: "The predicate cannot be translated to SQL."
      case .unsupportedKeyPath: "The key path names no persisted property."
      case .sortingPendingChangesWithIdentifiers: "Identifiers cannot be sorted together with pending changes."
      case .unsupportedSortDescriptor: "The sort descriptor cannot be translated to SQL."
      case .duplicateConfiguration: "Two configurations have the same name or the same file."
      case .configurationFileNameTooLong: "The configuration's file name is too long."
      case .configurationFileNameContainsInvalidCharacters: "The configuration's name has characters no file may have."
      case .configurationSchemaNotFoundInContainerSchema: "A configuration has a model that the container has not."
      case .loadIssueModelContainer: "The store cannot be opened."
      case .modelValidationFailure: "A model has a value that cannot be saved."
      case .missingModelContext: "The model is in no context."
      case .backwardMigration: "The store was written by a newer version of the program."
      case .unknownSchema: "The schema is not one that the migration plan names."
      case .unknownDataStoreSchema: "The store's schema is neither the current one nor one in the migration plan."
      case .historyTokenExpired: "The history from this token on was deleted."
      case .invalidTransactionFetchRequest: "The history cannot be fetched in this way."
      case .storeClosed: "The store is closed."
      case .storeMigrated: "The store was migrated since it was opened."
      case .storeMoved: "The store's file is not the one that was opened any more, and nothing was written."
      case .corruptValue: "A column holds a value that is none of its property's type."
      case .rowNotFound: "The model's row is not in the store any more."
      case .mergeConflict: "Others have changed what is to be saved."
      case .readOnlyStore: "The store may not be written to."
      case .modelNotInSchema: "The model type is not in the container's schema."
      case .invalidSchema: "The model types do not make a schema."
      case .storeBusy: "Another connection holds a lock on the store."
      case .storeFull: "There is no room for the store to grow."
      case .storeInputOutput: "The store's files could not be read or written."
      case .storeDamaged: "The store's file is damaged."
      case .storeEncrypted: "The store's file is encrypted, or is no SQLite database."
      case .storeNotEncrypted: "The store's file is not encrypted, and the configuration has a key."
      case .wrongStoreKey: "The key is not the one that the store's file is encrypted with, or the file is damaged."
      case .storeWaitCancelled: "The task was cancelled while it waited for the store."
      case .storeFailure: "The database refused a statement."
      case .invalidSQL: "The SQL cannot be run."
      }
    }

    var remedy: String? {
      switch self {
      case .includePendingChangesWithBatchSize, .sortingPendingChangesWithIdentifiers:
        "Save first and set includePendingChanges to false."
      case .missingModelContext: "Insert the model into a context."
      case .backwardMigration: "Update the program, or open the backup made before the update."
      case .unknownDataStoreSchema: "Add the version that wrote the store to the migration plan's schemas."
      case .historyTokenExpired: "Fetch everything anew and keep the newest token."
      case .storeClosed: "Make a new ModelContainer."
      case .storeMigrated: "Make a new ModelContainer with the models that the store has now. Nothing was written."
      case .storeMoved:
        "Close this container and make a new one. Unsaved changes are still in their contexts."
      case .rowNotFound: "Fetch again: another context or program deleted it."
      case .readOnlyStore: "Make the configuration with allowsSave: true."
      case .modelNotInSchema: "Name the model type when making the ModelContainer."
      case .configurationFileNameTooLong, .configurationFileNameContainsInvalidCharacters:
        "Choose another name, or give the configuration a url."
      case .configurationSchemaNotFoundInContainerSchema: "Name the model type when making the ModelContainer."
      case .storeBusy: "Try again, or give the configuration's storeOptions a longer busyTimeout."
      case .storeFull: "Make room on the disk and try again: nothing was written."
      case .storeInputOutput: "Check that the disk is there and that this user may use the store's folder."
      case .storeDamaged: "Restore the file from a backup."
      case .storeEncrypted: "Give the configuration's encryption the key; or choose another url."
      case .storeNotEncrypted:
        "Encrypt it once, with ModelContainer.changeEncryption(of:to:); or leave out the configuration's encryption."
      case .wrongStoreKey: "Open it with its own key; if that is this one, restore the file from a backup."
      case .storeWaitCancelled: "Try again in a task that is not cancelled: nothing was written."
      case .storeFailure: "Check whether another program changed the file's tables."
      default: nil
      }
    }
  }
}
