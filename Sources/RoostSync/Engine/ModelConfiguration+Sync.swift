public import Roost
import RoostCore
import Synchronization

extension ModelConfiguration {
  /// The server that the store is synced with; nil, for none, unless set.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration("Library")
  /// configuration.sync = .server(URL(string: "https://sync.example.org")!, token: { try await session.token() })
  /// ```
  /// The closure is called before each request: return a token that is kept, and renew it when it expires. Where nobody
  /// has signed in, throw; call ``SyncEngine/resume()`` once somebody has.
  ///
  /// `cloudKitDatabase:` says which of the user's databases at the server it is: for `.private("name")` that one,
  /// for `.automatic` the one with the configuration's name, which is `default` for one with a `url:` alone, and
  /// for `.none` none: the store is not synced, and this stays nil. All stores of a user with one database have
  /// the same rows. A store stays with the database that it was first synced with, unless `.private` names another
  /// one: then it is as with another account, and nothing is sent or fetched until ``SyncEngine/useAccount(_:)``
  /// says what becomes of its rows.
  public var sync: SyncConfiguration? {
    get { companion?.settings as? SyncConfiguration }
    set {
      guard let newValue, let zone else {
        companion = nil
        return
      }
      let isGiven = cloudKitContainerIdentifier != nil
      companion = CompanionSetup(newValue) { configuration, schema, version in
        try newValue.check(configuration, schema, of: version, zone: zone, isZoneGiven: isGiven)
      }
    }
  }

  private var zone: String? {
    if cloudKitDatabase == .none { return nil }
    return cloudKitContainerIdentifier ?? name
  }
}

extension ModelContainer {
  /// What syncs the store; nil without ``ModelConfiguration/sync``, or once the store is closed.
  ///
  /// It does not keep the container, without which it ends.
  public var sync: SyncEngine? { store.companion.withLock { $0 as? SyncEngine } }
}
