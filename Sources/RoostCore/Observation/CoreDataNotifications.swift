public import Foundation
import Synchronization

#if !canImport(CoreData)
  extension Notification.Name {
    /// Posted after each save of a context, with the context as object, where Core Data's framework is not there.
    ///
    /// `userInfo` has the `Set<PersistentIdentifier>` of the models inserted, edited and deleted, by
    /// ``NSInsertedObjectsKey``, ``NSUpdatedObjectsKey`` and ``NSDeletedObjectsKey``. It is posted where the save was
    /// called, from the first time on that the program uses this name.
    public static var NSManagedObjectContextDidSave: Notification.Name {
      CoreDataNotifications.expectSaves()
      return CoreDataNotifications.didSave
    }

    /// Posted after something was written to a store, by whomever, where Core Data's framework is not there.
    ///
    /// `userInfo` has the store's identifier, by "NSStoreUUID", and its file, by "storeURL". It is posted on any
    /// thread, from the first time on that the program uses this name. Saves, updates in bulk and SQL of this program's
    /// containers are told at once; other programs' writes are looked for as often as
    /// ``ModelConfiguration/StoreOptions/pollingInterval`` says.
    public static var NSPersistentStoreRemoteChange: Notification.Name {
      CoreDataNotifications.expectWrites()
      return CoreDataNotifications.remoteChange
    }
  }

  /// The key of the inserted models in the notification `NSManagedObjectContextDidSave`.
  public let NSInsertedObjectsKey = "inserted"
  /// The key of the edited models in the notification `NSManagedObjectContextDidSave`.
  public let NSUpdatedObjectsKey = "updated"
  /// The key of the deleted models in the notification `NSManagedObjectContextDidSave`.
  public let NSDeletedObjectsKey = "deleted"
#endif

/// Core Data's notifications, for programs that learn of saves and of other programs' writes by them.
///
/// A notification centre does not say whether anybody listens. Who listens has used the name: before that nothing is
/// made, posted or looked for.
enum CoreDataNotifications {
  private struct Reference { weak var store: Store? }

  private struct State {
    var expectsSaves = false
    var expectsWrites = false
    /// What is open, until writes are expected.
    var stores: [Reference] = []
  }

  static let didSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
  static let remoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
  private static let state = Mutex(State())

  static func expectSaves() { state.withLock { $0.expectsSaves = true } }

  static func expectWrites() {
    let references = state.withLock { state in
      state.expectsWrites = true
      defer { state.stores = [] }
      return state.stores
    }
    for reference in references { reference.store?.lookForWrites() }
  }

  static func opened(_ store: Store) {
    let (isExpecting, living) = state.withLock { state -> (Bool, [Store]) in
      if state.expectsWrites { return (true, []) }
      let living = state.stores.compactMap(\.store)
      state.stores.removeAll { $0.store == nil }
      state.stores.append(Reference(store: store))
      return (false, living)
    }
    // A store that nobody else holds any more closes as it is let go of, which must not be under the lock.
    withExtendedLifetime(living) {}
    if isExpecting { store.lookForWrites() }
  }

  /// Tells that a context has saved; `identifiers` are those of `ModelContext.didSave`.
  static func saved(_ context: ModelContext, _ identifiers: [AnyHashable: Any]) {
    guard state.withLock({ $0.expectsSaves }) else { return }
    let keys: [(String, ModelContext.NotificationKey)] = [
      ("inserted", .insertedIdentifiers), ("updated", .updatedIdentifiers), ("deleted", .deletedIdentifiers),
    ]
    let sets = keys.map { ($0, Set(identifiers[$1.rawValue] as? [PersistentIdentifier] ?? [])) }
    NotificationCenter.default.post(
      name: didSave, object: context, userInfo: Dictionary(uniqueKeysWithValues: sets.map { (AnyHashable($0), $1) }))
  }

  /// Tells that a store was written. Whoever tells may hold a connection, as a migration does:
  /// observers are called on another thread.
  static func wrote(_ store: Store) {
    guard state.withLock({ $0.expectsWrites }) else { return }
    let (identifier, url) = (store.identifier, store.configuration.url)
    Task.detached {
      NotificationCenter.default.post(
        name: remoteChange, object: nil, userInfo: ["NSStoreUUID": identifier, "storeURL": url])
    }
  }
}

extension Store {
  /// Looks for writes of other programs as long as the store is there.
  fileprivate func lookForWrites() {
    if configuration.isStoredInMemoryOnly { return }
    beginLook()
  }
}
