#if canImport(Security)
  import Foundation
  import Security

  extension SecretStore {
    /// The Keychain: items that are this program's alone, or its access group's.
    ///
    /// On a Mac it is the data protection keychain, whose programs must be signed with an application
    /// identifier: to one that is not, such as what `swift run` starts, each call throws ``SecretError/denied``.
    /// There is ``loginKeychain`` then.
    public static var keychain: SecretStore { SecretStore(Keychain(isDataProtected: true)) }

    #if os(macOS)
      /// A Mac's login keychain, which programs without a signature may use too.
      ///
      /// It is unlocked from login on, and does not know of ``SecretAccess``: what is more than
      /// ``SecretAccess/afterFirstUnlock`` throws. The system asks the user where another program made an item.
      public static var loginKeychain: SecretStore { SecretStore(Keychain(isDataProtected: false)) }
    #endif
  }

  /// Generic passwords of the Keychain, which are never synced to other devices.
  struct Keychain: SecretBackend {
    /// Whether it is the keychain that all of Apple's platforms have, or a Mac's login keychain.
    let isDataProtected: Bool

    func read(_ name: SecretName) throws -> Secret? {
      var query = query(name)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      switch SecItemCopyMatching(query as CFDictionary, &found) {
      case errSecSuccess: return (found as? Data).map { Secret($0) } ?? Secret("")
      case errSecItemNotFound: return nil
      case let status: throw KeychainStatus(status).error("get", name.account)
      }
    }

    func write(_ secret: Secret, for name: SecretName, access: SecretAccess) throws {
      let values = try values(secret, access)
      for _ in 0..<10 {
        switch SecItemAdd(query(name).merging(values) { $1 } as CFDictionary, nil) {
        case errSecSuccess: return
        case errSecDuplicateItem: break
        case let status: throw KeychainStatus(status).error("keep", name.account)
        }
        switch SecItemUpdate(query(name) as CFDictionary, values as CFDictionary) {
        case errSecSuccess: return
        // Another process has removed it since.
        case errSecItemNotFound: continue
        case let status: throw KeychainStatus(status).error("replace", name.account)
        }
      }
      throw KeychainStatus(errSecDuplicateItem).error("keep", name.account)
    }

    func add(_ secret: Secret, for name: SecretName, access: SecretAccess) throws -> Secret {
      let values = try values(secret, access)
      for _ in 0..<10 {
        switch SecItemAdd(query(name).merging(values) { $1 } as CFDictionary, nil) {
        case errSecSuccess: return secret
        case errSecDuplicateItem: if let winner = try read(name) { return winner }
        case let status: throw KeychainStatus(status).error("keep", name.account)
        }
      }
      throw KeychainStatus(errSecDuplicateItem).error("keep", name.account)
    }

    func remove(_ name: SecretName) throws -> Bool {
      switch SecItemDelete(query(name) as CFDictionary) {
      case errSecSuccess: return true
      case errSecItemNotFound: return false
      case let status: throw KeychainStatus(status).error("remove", name.account)
      }
    }

    func accounts(of service: String) throws -> [String] {
      var query = query(service: service)
      query[kSecReturnAttributes] = true
      query[kSecMatchLimit] = kSecMatchLimitAll
      var found: CFTypeRef?
      switch SecItemCopyMatching(query as CFDictionary, &found) {
      case errSecSuccess:
        let items = found as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }
      case errSecItemNotFound: return []
      case let status: throw KeychainStatus(status).error("list", service)
      }
    }
  }

  extension Keychain {
    private func query(service: String) -> [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrSynchronizable: false,
      ]
      #if os(macOS)
        query[kSecUseDataProtectionKeychain] = isDataProtected
      #endif
      return query
    }

    private func query(_ name: SecretName) -> [CFString: Any] {
      var query = query(service: name.service)
      query[kSecAttrAccount] = name.account
      return query
    }

    private func values(_ secret: Secret, _ access: SecretAccess) throws -> [CFString: Any] {
      let data = secret.withUnsafeBytes { Data($0) }
      if isDataProtected { return [kSecValueData: data, kSecAttrAccessible: access.keychainValue] }
      if access == .afterFirstUnlock { return [kSecValueData: data] }
      throw access.unsupported(
        by: "A Mac's login keychain", because: "it is open from login on and is copied by backups")
    }
  }

  extension SecretAccess {
    fileprivate var keychainValue: CFString {
      switch self {
      case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
      case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      }
    }
  }
#endif
