/// When a secret may be read, and whether it may leave the device.
///
/// Each backend keeps what it can and throws ``SecretError/unsupportedAccess`` for what it cannot:
///
/// | | Keychain | Secret Service | kernel keyring | encrypted file | memory |
/// |---|---|---|---|---|---|
/// | ``afterFirstUnlock`` | yes | yes: since the user's login | yes: since the login | yes: with the file's key | yes |
/// | ``whenUnlocked`` | yes | the keyring's lock, which is not the screen's | no | no | yes |
/// | …`ThisDeviceOnly` | yes | no: the keyring is a file, and is copied with the home folder | yes, until it restarts | no | yes |
public enum SecretAccess: String, Sendable, CaseIterable {
  /// From the first time that the user unlocks the device after it has started. For what works in the background.
  case afterFirstUnlock
  /// The same, and a backup that is put back on another device lacks it.
  case afterFirstUnlockThisDeviceOnly
  /// While the device is unlocked.
  case whenUnlocked
  /// The same, and a backup that is put back on another device lacks it.
  case whenUnlockedThisDeviceOnly

  var isThisDeviceOnly: Bool { self == .afterFirstUnlockThisDeviceOnly || self == .whenUnlockedThisDeviceOnly }
  var isWhenUnlocked: Bool { self == .whenUnlocked || self == .whenUnlockedThisDeviceOnly }

  /// What a backend throws that cannot promise this.
  func unsupported(by backend: String, because reason: String) -> SecretError {
    SecretError(
      .unsupportedAccess, "\(backend) cannot keep a secret as `\(rawValue)`: \(reason).",
      remedy: "Use `.afterFirstUnlock`, or a store that can, where the secret is worth it.")
  }
}
