#if os(Linux)
  internal import CVault

  /// The functions of libsecret, which the system has or has not.
  ///
  // SAFETY: the table is written once before anybody has it, and never freed.
  struct LibSecret: @unchecked Sendable {
    let functions: UnsafePointer<RoostLibsecret>

    private static let shared: Result<LibSecret, SecretError> = Result { () throws(SecretError) in try load() }

    static func get() throws -> LibSecret { try shared.get() }

    private static func load() throws(SecretError) -> LibSecret {
      var lacking: UnsafePointer<CChar>?
      if let functions = roost_libsecret_load(&lacking) { return LibSecret(functions: UnsafePointer(functions)) }
      let message =
        lacking.map { "The system's libsecret-1.so.0 is too old: it has no \(String(cString: $0))." }
        ?? "The library libsecret-1.so.0 is not installed."
      throw SecretError(
        .unavailable, message,
        remedy: "Install it (Debian's package is libsecret-1-0), or use `.file(at:key:)` on a server.")
    }
  }

  /// Something of GLib's that is let go of with this.
  final class GHeld {
    let pointer: UnsafeMutableRawPointer
    private let release: (UnsafeMutableRawPointer?) -> Void

    init(_ pointer: UnsafeMutableRawPointer, _ release: @escaping (UnsafeMutableRawPointer?) -> Void) {
      (self.pointer, self.release) = (pointer, release)
    }

    deinit { release(pointer) }
  }

  extension LibSecret {
    func object(_ pointer: UnsafeMutableRawPointer) -> GHeld { GHeld(pointer, functions.pointee.g_object_unref) }

    /// A table of texts.
    func attributes(_ attributes: [String: String]) -> GHeld? {
      let glib = functions.pointee
      guard let table = glib.g_hash_table_new_full(glib.g_str_hash, glib.g_str_equal, glib.g_free, glib.g_free) else {
        return nil
      }
      for (name, value) in attributes {
        _ = glib.g_hash_table_insert(table, glib.g_strdup(name), glib.g_strdup(value))
      }
      return GHeld(table, glib.g_hash_table_unref)
    }

    func text(_ name: String, in table: UnsafeMutableRawPointer) -> String? {
      name.withCString { functions.pointee.g_hash_table_lookup(table, $0) }
        .map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }

    /// A copy of a secret, in memory that libsecret overwrites.
    func value(_ secret: Secret) -> GHeld {
      let type = secret.string == nil ? "application/octet-stream" : "text/plain"
      let value = secret.withUnsafeBytes { bytes in
        functions.pointee.secret_value_new(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, type)
      }
      return GHeld(value, functions.pointee.secret_value_unref)
    }

    func secret(_ value: GHeld) -> Secret {
      var count = 0
      // SAFETY: libsecret says how many bytes there are, and they stay for as long as the value is held.
      let bytes = UnsafeRawBufferPointer(start: functions.pointee.secret_value_get(value.pointer, &count), count: count)
      return withExtendedLifetime(value) { Secret(bytes) }
    }
  }
#endif
