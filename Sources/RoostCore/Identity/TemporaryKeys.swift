import Synchronization

/// Keys of models that have no row yet: negative, unique in the process, so that they never meet a rowid.
enum TemporaryKeys {
  private static let last = Atomic<Int64>(0)

  static func next() -> Int64 {
    last.subtract(1, ordering: .relaxed).newValue
  }
}

/// The scopes of temporary identifiers, one an entity name.
package enum TemporaryScopes {
  private static let scopes = Mutex<[String: IdentifierScope]>([:])

  package static func scope(entityName: String) -> IdentifierScope {
    scopes.withLock { scopes in
      if let scope = scopes[entityName] { return scope }
      let scope = IdentifierScope(storeIdentifier: nil, entityName: entityName)
      scopes[entityName] = scope
      return scope
    }
  }
}

extension PersistentIdentifier {
  /// An identifier that is no model's.
  package static func temporary(entityName: String) -> PersistentIdentifier {
    PersistentIdentifier(scope: TemporaryScopes.scope(entityName: entityName), key: TemporaryKeys.next())
  }
}
