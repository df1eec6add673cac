#if Vault
  public import Foundation

  extension SecretStore {
    /// Secrets in an encrypted file, for servers and wherever there is no vault.
    ///
    /// The file is encrypted by AES-GCM with a key that scrypt makes of the passphrase. It is for its owner
    /// alone, and replaced as a whole; several processes may use it at once. Somebody who may write to its folder
    /// can put a former version back.
    ///
    /// ```swift
    /// let secrets = SecretStore.file(at: url, key: .environment("NOTES_SECRETS"))
    /// ```
    /// - Parameters:
    ///   - url: the file, which the first secret makes, in a folder that not everybody may write to.
    ///   - key: where the passphrase comes from, which is looked at when it is first needed.
    /// - Returns: the store.
    public static func file(at url: URL, key: SecretFileKey) -> SecretStore {
      SecretStore(EncryptedFile(url, key))
    }
  }
#else
  public import Foundation

  extension SecretStore {
    /// Secrets in an encrypted file: only with the package's trait `Vault`.
    @available(
      *, unavailable,
      message: "Turn on the trait: .package(url: \"…/roost\", from: \"…\", traits: [\"Vault\"]) in Package.swift."
    )
    public static func file(at url: URL, key: SecretFileKey) -> SecretStore { memory() }
  }
#endif
