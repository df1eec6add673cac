#if !os(Windows)
  import Foundation

  extension SecretError {
    /// What a system call reported in `errno`.
    static func system(_ action: String, _ path: String, _ number: Int32 = errno) -> SecretError {
      let reason = String(cString: strerror(number))
      let remedy =
        switch number {
        case EACCES, EPERM: "Let the program's user read and write it, or choose another place."
        case EROFS: "Choose a place on a file system that can be written to."
        case ENOSPC, EDQUOT: "Make room on the disk."
        default: "See what is at that place."
        }
      return SecretError(
        number == EACCES || number == EPERM ? .denied : .failed, "Cannot \(action) \(path): \(reason).", remedy: remedy)
    }
  }
#endif
