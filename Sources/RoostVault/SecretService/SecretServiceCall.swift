#if os(Linux)
  internal import CVault
  import Dispatch

  /// A call of libsecret's, or several in a row, that are given up when they take too long.
  struct SecretServiceCall {
    let library: LibSecret
    private let cancellation: Cancellation

    init(_ library: LibSecret, patience: Duration) {
      self.library = library
      cancellation = Cancellation(library, after: patience)
    }

    func callAsFunction<Result>(
      _ body: (UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutablePointer<RoostGError>?>) -> Result
    ) throws -> Result {
      var error: UnsafeMutablePointer<RoostGError>?
      let result = body(cancellation.pointer, &error)
      guard let error else { return result }
      defer { library.functions.pointee.g_error_free(error) }
      throw failure(error.pointee)
    }

    /// Runs `body` with a queue of its own for what GLib puts off.
    ///
    /// Objects that are let go of put off a part of that to the queue that they were made with, and
    /// nobody empties the program's. The connection with the bus is the program's: were it made here,
    /// GLib would end the program with the bus.
    func withOwnContext<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
      let glib = library.functions.pointee
      let context = glib.g_main_context_new()
      glib.g_main_context_push_thread_default(context)
      defer {
        while glib.g_main_context_iteration(context, 0) != 0 {}
        glib.g_main_context_pop_thread_default(context)
        glib.g_main_context_unref(context)
      }
      return try body()
    }

    /// Cancels the calls when the time is over. Without it a service that hangs, or that asks its user after all, would
    /// hold the program for ever.
    ///
    // SAFETY: GLib lets any thread cancel a GCancellable, and it is held until both this and the timer are gone.
    private final class Cancellation: @unchecked Sendable {
      let pointer: UnsafeMutableRawPointer?
      private let library: LibSecret
      private let timer = DispatchSource.makeTimerSource()

      init(_ library: LibSecret, after patience: Duration) {
        self.library = library
        pointer = library.functions.pointee.g_cancellable_new()
        let seconds = Double(patience.components.seconds) + Double(patience.components.attoseconds) / 1e18
        timer.schedule(deadline: .now() + seconds)
        timer.setEventHandler { [weak self] in
          guard let self, let pointer = self.pointer else { return }
          self.library.functions.pointee.g_cancellable_cancel(pointer)
        }
        timer.activate()
      }

      deinit {
        timer.cancel()
        if let pointer { library.functions.pointee.g_object_unref(pointer) }
      }
    }
  }

  // MARK: - Errors

  extension SecretServiceCall {
    private func failure(_ error: RoostGError) -> SecretServiceFailure {
      let domain = library.functions.pointee.g_quark_to_string(error.domain).map { String(cString: $0) } ?? ""
      let message = String(cString: error.message)
      // The numbers of gdbuserror.h, gioenums.h and secret-types.h.
      switch (domain, error.code) {
      case ("secret-error", 2): return .locked
      case ("secret-error", 3), ("g-dbus-error-quark", 41): return .gone
      case ("g-io-error-quark", 19), ("g-io-error-quark", 24), ("g-dbus-error-quark", 4), ("g-dbus-error-quark", 20):
        return .late
      case ("g-dbus-error-quark", 2), ("g-dbus-error-quark", 3), ("g-io-error-quark", 1), ("g-io-error-quark", 18),
        ("g-io-error-quark", 39), ("g-io-error-quark", 44):
        return .absent(message)
      case ("g-spawn-exec-error", _), ("g-dbus-error-quark", 23...33): return .absent(message)
      default: return .other("\(message) (\(domain) \(error.code))")
      }
    }
  }
#endif
