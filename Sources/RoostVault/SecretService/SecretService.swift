#if os(Linux)
  import Foundation
  import Synchronization

  extension SecretStore {
    /// The Secret Service of the user's desktop: GNOME Keyring, KWallet, KeePassXC.
    ///
    /// It is there where there is a session bus with such a service, and where libsecret is installed; otherwise each
    /// call throws ``SecretError/unavailable``. A keyring that is locked throws ``SecretError/locked`` rather than ask
    /// the user. All programs of the user can read all secrets of an unlocked keyring.
    public static var secretService: SecretStore { SecretStore(SecretService.shared) }
  }

  /// Items of the Secret Service, by libsecret.
  package final class SecretService: SecretBackend {
    static let shared = SecretService()

    private let patience: Duration
    private let session = Mutex<SecretServiceSession?>(nil)

    /// D-Bus itself gives a call up after 25 seconds, and one that waits for the user never.
    package init(patience: Duration = .seconds(20)) { self.patience = patience }

    package func read(_ name: SecretName) throws -> Secret? {
      try perform { session, call in
        try unlocked(session.items(name.attributes, call), session, call).first?.secret(call)
      }
    }

    package func write(_ secret: Secret, for name: SecretName, access: SecretAccess) throws {
      if access.isThisDeviceOnly {
        throw access.unsupported(
          by: "The Secret Service", because: "it keeps them in a file, which is copied with the user's folder")
      }
      try perform { session, call in
        // In place where it is, which may be another collection than the default one.
        if let item = try unlocked(session.items(name.attributes, call), session, call).first {
          return try item.replace(secret, call)
        }
        try session.create(secret, name.attributes, label: "\(name.service): \(name.account)", call)
      }
    }

    package func add(_ secret: Secret, for name: SecretName, access: SecretAccess) throws -> Secret {
      // The service either replaces an item or makes a second one.
      try ProcessLock.ofUser.whileHeld {
        if let winner = try read(name) { return winner }
        try write(secret, for: name, access: access)
        return secret
      }
    }

    package func remove(_ name: SecretName) throws -> Bool {
      try perform { session, call in
        let items = try unlocked(session.items(name.attributes, call), session, call)
        for item in items { try item.delete(call) }
        return !items.isEmpty
      }
    }

    package func accounts(of service: String) throws -> [String] {
      try perform { session, call in
        let items = try session.items(SecretName.attributes(of: service), call)
        if items.isEmpty { try session.unlockedCollection(call) }
        return Array(Set(items.compactMap { $0.attribute("account") }))
      }
    }

    /// The items, or an error where one of them is locked, or where a locked collection may have others.
    private func unlocked(
      _ items: [SecretServiceItem], _ session: SecretServiceSession, _ call: SecretServiceCall
    ) throws -> [SecretServiceItem] {
      if items.contains(where: \.isLocked) { throw SecretServiceFailure.locked }
      if items.isEmpty { try session.unlockedCollection(call) }
      return items
    }
  }

  // MARK: - The connection

  extension SecretService {
    private func perform<Result: Sendable>(
      _ body: (SecretServiceSession, SecretServiceCall) throws -> Result
    ) throws -> Result {
      do {
        return try session.withLock { session in
          let library = try LibSecret.get()
          if let known = session {
            do {
              let call = SecretServiceCall(library, patience: patience)
              return try call.withOwnContext { try body(known, call) }
            } catch let failure as SecretServiceFailure where failure.mayBeOfConnection {
              // The service may have been started anew, which the connection does not know.
              session = nil
            }
          }
          try Self.checkBus()
          let call = SecretServiceCall(library, patience: patience)
          let new = try SecretServiceSession(call)
          let result = try call.withOwnContext { try body(new, call) }
          session = new
          return result
        }
      } catch let failure as SecretServiceFailure {
        throw failure.error(after: patience)
      }
    }

    /// Without a bus, D-Bus would start one that nobody ends.
    private static func checkBus() throws {
      let environment = ProcessInfo.processInfo.environment
      if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return }
      if let folder = environment["XDG_RUNTIME_DIR"], FileManager.default.fileExists(atPath: folder + "/bus") { return }
      throw SecretError(
        .unavailable, "There is no D-Bus session, and so no Secret Service: $DBUS_SESSION_BUS_ADDRESS is not set.",
        remedy: "Run the program in a desktop's session, or use `.file(at:key:)` on a server.")
    }
  }

  extension SecretName {
    fileprivate var attributes: [String: String] {
      var attributes = Self.attributes(of: service)
      attributes["account"] = account
      return attributes
    }

    /// "xdg:schema" is what desktops' programs show the kind of an item by.
    fileprivate static func attributes(of service: String) -> [String: String] {
      ["xdg:schema": "org.roost.Secret", "service": service]
    }
  }
#endif
