#if os(Linux)
  /// What D-Bus and libsecret report, told apart by what one can do about it.
  enum SecretServiceFailure: Error {
    case absent(String)
    case locked
    /// An object that was there has gone since.
    case gone
    case late
    case other(String)

    var mayBeOfConnection: Bool {
      switch self {
      case .absent, .gone, .other: true
      case .locked, .late: false
      }
    }

    func error(after patience: Duration) -> SecretError {
      switch self {
      case .absent(let reason):
        SecretError(
          .unavailable, "The Secret Service cannot be reached: \(reason).",
          remedy: "Install and start one, such as GNOME Keyring, or use `.file(at:key:)` on a server.")
      case .locked:
        SecretError(
          .locked, "The user's keyring is locked.",
          remedy: "Have the user unlock it in the desktop's program for passwords, then try again.")
      case .late:
        SecretError(
          .unavailable, "The Secret Service has not answered within \(patience).",
          remedy: "See whether it hangs, or waits for its user.")
      case .gone:
        SecretError(.failed, "The secret was removed while it was read.", remedy: "Try again.")
      case .other(let reason):
        SecretError(.failed, "The Secret Service reports an error: \(reason).", remedy: "Look in its own log.")
      }
    }
  }
#endif
