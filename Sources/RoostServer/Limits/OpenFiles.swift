#if Server
  import Foundation

  /// How many files and connections the process may have open.
  enum OpenFiles {
    /// What the server has open besides connections: its data, and what the program around it has.
    static let others = 500

    /// Has the process have as many open as the system lets it. Returns how many; nil where nobody says.
    ///
    /// systemd's usual limit is 1,024, and each device that listens has a connection.
    static func raise() -> Int? {
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let resource = RLIMIT_NOFILE
      #endif
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0 else { return nil }
      var raised = limit
      raised.rlim_cur = min(raised.rlim_max, 65_536)
      if raised.rlim_cur > limit.rlim_cur, setrlimit(resource, &raised) == 0 { limit = raised }
      return Int(clamping: limit.rlim_cur)
    }
  }
#endif
