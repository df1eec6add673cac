#if !canImport(Darwin)
  /// A type that says by which names its key paths may be in an encoded predicate.
  ///
  /// ```swift
  /// extension Note: PredicateCodableKeyPathProviding {
  ///   static var predicateCodableKeyPaths: [String: any PartialKeyPath<Note> & Sendable] {
  ///     ["Note.title": \.title, "Note.pages": \.pages]
  ///   }
  /// }
  ///
  /// var configuration = PredicateCodableConfiguration.standardConfiguration
  /// configuration.allowKeyPathsForPropertiesProvided(by: Note.self)
  /// ```
  /// Source: Foundation's protocol of that name, which it has on Apple platforms only.
  public protocol PredicateCodableKeyPathProviding {
    /// The key paths, by what stands for them in the encoded predicate.
    static var predicateCodableKeyPaths: [String: any PartialKeyPath<Self> & Sendable] { get }
  }

  extension PredicateCodableConfiguration {
    /// Allows the key paths that a type names.
    ///
    /// - Parameters:
    ///   - type: the type that names them.
    ///   - recursive: whether to allow also what the types that they refer to name.
    public mutating func allowKeyPathsForPropertiesProvided<T>(by type: T.Type, recursive: Bool = false)
    where T: PredicateCodableKeyPathProviding {
      for (identifier, keyPath) in Self.keyPaths(providedBy: type, recursive) {
        allowKeyPath(keyPath, identifier: identifier)
      }
    }

    /// Takes the key paths that a type names off the list.
    ///
    /// - Parameters:
    ///   - type: the type that names them.
    ///   - recursive: whether to take off also what the types that they refer to name.
    public mutating func disallowKeyPathsForPropertiesProvided<T>(by type: T.Type, recursive: Bool = false)
    where T: PredicateCodableKeyPathProviding {
      for (_, keyPath) in Self.keyPaths(providedBy: type, recursive) { disallowKeyPath(keyPath) }
    }

    private static func keyPaths(
      providedBy type: any PredicateCodableKeyPathProviding.Type, _ recursive: Bool
    ) -> [(identifier: String, keyPath: AnyKeyPath)] {
      var waiting = [type]
      var seen: Set<ObjectIdentifier> = []
      var found: [(identifier: String, keyPath: AnyKeyPath)] = []
      while let next = waiting.popLast() {
        guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
        for (identifier, keyPath) in next.namedKeyPaths {
          found.append((identifier, keyPath))
          if recursive, let related = keyPath.relatedType as? any PredicateCodableKeyPathProviding.Type {
            waiting.append(related)
          }
        }
      }
      return found
    }
  }

  extension PredicateCodableKeyPathProviding {
    fileprivate static var namedKeyPaths: [(String, AnyKeyPath)] { predicateCodableKeyPaths.map { ($0, $1) } }
  }
#endif
