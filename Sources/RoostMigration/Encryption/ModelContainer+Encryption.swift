public import RoostCore

extension ModelContainer {
  /// Encrypts a store that is plain, decrypts an encrypted one, or gives it another key.
  ///
  /// Close the containers of the store first. Its rows are copied into a new file, and the files of large values with
  /// them; the copy takes the store's place when it is whole, so that a crash leaves the one or the other. The backups
  /// of migrations get the same key: all are copied before the first is replaced, for which room is needed meanwhile.
  /// One that neither key opens, or that is damaged, stays as it is, and the log has its path.
  /// ```swift
  /// do {
  ///   return try ModelContainer(for: Note.self, configurations: encrypted)
  /// } catch SwiftDataError.storeNotEncrypted {
  ///   // A store of the program's former version.
  ///   try ModelContainer.changeEncryption(of: plain, to: encrypted.encryption)
  ///   return try ModelContainer(for: Note.self, configurations: encrypted)
  /// }
  /// ```
  /// The system may keep what was in the blocks of a plain file after it is removed: encrypt from the
  /// beginning what must never be read.
  /// - Parameters:
  ///   - configuration: where the store is, with the encryption that it has now; nil there for a plain store.
  ///   - encryption: what it is encrypted with from now on; nil for a plain store.
  /// - Throws: ``SwiftDataError``, such as ``SwiftDataError/storeBusy`` when somebody has the store open,
  ///   ``SwiftDataError/wrongStoreKey``, ``SwiftDataError/storeNotEncrypted`` or
  ///   ``SwiftDataError/storeFull``. The store is then as it was.
  /// - Source: [SQLCipher, sqlcipher_export](https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlcipher_export).
  public static func changeEncryption(
    of configuration: ModelConfiguration, to encryption: ModelConfiguration.Encryption?
  ) throws {
    try EncryptionChange(configuration, to: encryption).run()
  }
}
