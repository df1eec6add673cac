#if os(Linux)
  internal import CVault
  import Foundation

  /// A connection with the Secret Service, whose secrets cross the bus encrypted.
  ///
  // SAFETY: `SecretService` uses it by one thread at a time, under its lock.
  final class SecretServiceSession: @unchecked Sendable {
    private let library: LibSecret
    private let service: GHeld

    init(_ call: SecretServiceCall) throws {
      library = call.library
      let functions = library.functions.pointee
      let opened = try call {
        functions.secret_service_open_sync(functions.secret_service_get_type(), nil, Flags.openSession, $0, $1)
      }
      guard let opened else { throw SecretServiceFailure.absent("there is no Secret Service") }
      service = library.object(opened)
    }

    /// The items of a service, or of a name. Nothing is unlocked, nobody is asked.
    func items(_ attributes: [String: String], _ call: SecretServiceCall) throws -> [SecretServiceItem] {
      let functions = library.functions.pointee
      guard let table = library.attributes(attributes) else { return [] }
      let list = try call {
        functions.secret_service_search_sync(service.pointer, nil, table.pointer, Flags.searchAll, $0, $1)
      }
      defer { functions.g_list_free(list) }
      return sequence(state: list) { next in
        defer { next = next?.pointee.next }
        return next.map { $0.pointee.data }
      }.compactMap { $0.map { SecretServiceItem(library, self.library.object($0)) } }
    }

    /// Makes an item in the user's default collection.
    func create(
      _ secret: Secret, _ attributes: [String: String], label: String, _ call: SecretServiceCall
    ) throws {
      let functions = library.functions.pointee
      let collection = try unlockedCollection(call)
      guard let table = library.attributes(attributes) else { return }
      let value = library.value(secret)
      let item = try withExtendedLifetime(value) {
        try call {
          functions.secret_item_create_sync(
            collection.pointer, nil, table.pointer, label, value.pointer, Flags.replace, $0, $1)
        }
      }
      if let item { functions.g_object_unref(item) }
    }

    /// The user's default collection, of which it is certain then what is in it.
    @discardableResult func unlockedCollection(_ call: SecretServiceCall) throws -> GHeld {
      let functions = library.functions.pointee
      let found = try call {
        functions.secret_collection_for_alias_sync(service.pointer, "default", Flags.none, $0, $1)
      }
      guard let found else {
        throw SecretError(
          .unavailable, "The Secret Service has no default keyring.",
          remedy: "Log in to the desktop, or make a keyring in its program for passwords.")
      }
      let collection = library.object(found)
      if functions.secret_collection_get_locked(collection.pointer) != 0 { throw SecretServiceFailure.locked }
      return collection
    }
  }

  /// An item as it was when it was found.
  struct SecretServiceItem {
    private let library: LibSecret
    private let item: GHeld

    init(_ library: LibSecret, _ item: GHeld) { (self.library, self.item) = (library, item) }

    var isLocked: Bool { library.functions.pointee.secret_item_get_locked(item.pointer) != 0 }

    func attribute(_ name: String) -> String? {
      guard let table = library.functions.pointee.secret_item_get_attributes(item.pointer) else { return nil }
      defer { library.functions.pointee.g_hash_table_unref(table) }
      return library.text(name, in: table)
    }

    func secret(_ call: SecretServiceCall) throws -> Secret {
      let functions = library.functions.pointee
      _ = try call { functions.secret_item_load_secret_sync(item.pointer, $0, $1) }
      guard let value = functions.secret_item_get_secret(item.pointer) else {
        // It is there: whoever took it for none would put a new key in its place.
        throw SecretServiceFailure.other("it gives no secret of an item")
      }
      return library.secret(GHeld(value, functions.secret_value_unref))
    }

    func replace(_ secret: Secret, _ call: SecretServiceCall) throws {
      let value = library.value(secret)
      try withExtendedLifetime(value) {
        _ = try call { library.functions.pointee.secret_item_set_secret_sync(item.pointer, value.pointer, $0, $1) }
      }
    }

    func delete(_ call: SecretServiceCall) throws {
      _ = try call { library.functions.pointee.secret_item_delete_sync(item.pointer, $0, $1) }
    }
  }

  /// Of secret-service.h, secret-collection.h and secret-item.h.
  private enum Flags {
    static let none: Int32 = 0
    static let openSession: Int32 = 1 << 1
    static let searchAll: Int32 = 1 << 1
    static let replace: Int32 = 1 << 1
  }
#endif
