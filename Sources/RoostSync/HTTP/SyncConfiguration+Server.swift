#if Sync
  public import Foundation
  import RoostCore

  extension SyncConfiguration {
    /// Syncs with a Roost server at an address.
    ///
    /// ```swift
    /// configuration.sync = .server(address, token: { try await account.token() })
    /// ```
    /// - Parameters:
    ///   - url: the server's address, with `https` where others could listen, and with a path or none. A container is
    ///     not made with one that has another scheme, no host, a user, a password, a query or a fragment.
    ///   - token: what tells the server whose the store is, asked for before each request: one that is kept, and got
    ///     anew before it is not valid any more. Where it throws, the store is synced later.
    /// - Returns: the configuration.
    public static func server(_ url: URL, token: @escaping @Sendable () async throws -> String) -> SyncConfiguration {
      SyncConfiguration(identity: url.absoluteString) {
        let others = [url.user(), url.password(), url.query(), url.fragment()].compactMap(\.self)
        guard ["http", "https"].contains(url.scheme?.lowercased()), !(url.host() ?? "").isEmpty, others.isEmpty else {
          // Without the address, in which a password may be.
          throw SwiftDataError.loadIssue(
            "The address of the server has no http or https, no host, or more than these, a port and a path.",
            remedy:
              "Write it as https://sync.example.org, and return what tells the server whose the store is from the token closure."
          )
        }
        return HTTPSyncService(url, token: token)
      }
    }
  }
#else
  public import Foundation

  extension SyncConfiguration {
    /// Syncs with a Roost server at an address: only with the package's trait `Sync`.
    @available(
      *, unavailable,
      message: "Turn on the trait: .package(url: \"…/roost\", from: \"…\", traits: [\"Sync\"]) in Package.swift."
    )
    public static func server(_ url: URL, token: @escaping @Sendable () async throws -> String) -> SyncConfiguration {
      SyncConfiguration(identity: url.absoluteString) { throw SyncError.blocked("The trait Sync is off.") }
    }
  }
#endif
