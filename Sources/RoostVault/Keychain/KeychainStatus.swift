#if canImport(Security)
  import Foundation
  import Security

  /// What a call of the Keychain reported.
  struct KeychainStatus {
    let status: OSStatus

    init(_ status: OSStatus) { self.status = status }

    func error(_ action: String, _ what: String) -> SecretError {
      let reason = SecCopyErrorMessageString(status, nil).map { "\($0)" } ?? "error"
      let message = "The Keychain cannot \(action) '\(what)': \(reason) (\(status))."
      switch status {
      case errSecInteractionNotAllowed:
        return SecretError(
          .locked, message,
          remedy: "Try again when the device is unlocked, or keep it as `.afterFirstUnlock`.")
      case errSecNotAvailable:
        return SecretError(.unavailable, message, remedy: "Log in, so that there is a keychain.")
      case errSecMissingEntitlement:
        return SecretError(
          .denied, message,
          remedy:
            "Sign the program with an application identifier; on a Mac there is `.loginKeychain` for one that is not.")
      case errSecAuthFailed, errSecUserCanceled:
        return SecretError(.denied, message, remedy: "Look in Keychain Access at who may use the item.")
      default:
        return SecretError(.failed, message, remedy: "`security error \(status)` tells more on a Mac.")
      }
    }
  }
#endif
