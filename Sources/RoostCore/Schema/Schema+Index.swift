extension Schema {
  /// The indexes of a model type, as `#Index` declares them.
  ///
  /// Source: SwiftData's `Schema.Index`.
  public final class Index<T>: SchemaProperty, CustomDebugStringConvertible where T: PersistentModel {
    /// One index and its kind.
    public enum Types<P> where P: PersistentModel {
      /// A B-tree, for equality, ranges and order.
      case binary([PartialKeyPath<P>])
      /// An R-tree, for ranges of several numbers at once.
      case rtree([PartialKeyPath<P>])

      var keyPaths: [PartialKeyPath<P>] {
        switch self {
        case .binary(let keyPaths), .rtree(let keyPaths): keyPaths
        }
      }
    }

    /// The name of the declaration.
    public var name = "Index"
    /// The same as ``name``, unless set.
    public var originalName = "Index"
    /// The model type, unless set.
    public var valueType: any Any.Type = T.self
    /// False: an index leaves equal values alone.
    public var isUnique: Bool { false }
    /// The indexes.
    public let indices: [Types<T>]

    /// Makes indexes of the kinds given.
    public init(_ indices: Types<T>...) { self.indices = indices }

    /// Makes a B-tree for each list of properties.
    public init(_ binaryIndices: [PartialKeyPath<T>]...) { indices = binaryIndices.map(Types.binary) }

    /// Reads indexes that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` when the model has no such properties any more.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      indices = try container.decode([NamedIndex].self, forKey: .indices).map { index in
        let keyPaths = try PropertyNames<T>().keyPaths(index.properties, codingPath: container.codingPath)
        return index.isRTree ? .rtree(keyPaths) : .binary(keyPaths)
      }
    }

    /// Writes the kinds and the properties' names.
    ///
    /// - Throws: `EncodingError` when a key path names no persisted property.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let names = PropertyNames<T>()
      try container.encode(
        indices.map { index in
          let properties = try names.names(index.keyPaths, codingPath: encoder.codingPath)
          if case .rtree = index { return NamedIndex(properties: properties, isRTree: true) }
          return NamedIndex(properties: properties, isRTree: false)
        }, forKey: .indices)
    }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey {
      /// The indexes.
      case indices
    }

    /// Whether both have the same indexes in the same order.
    public static func == (lhs: Index<T>, rhs: Index<T>) -> Bool {
      lhs.indices.count == rhs.indices.count
        && zip(lhs.indices, rhs.indices).allSatisfy { left, right in
          switch (left, right) {
          case (.binary(let left), .binary(let right)), (.rtree(let left), .rtree(let right)): left == right
          default: false
          }
        }
    }

    /// Hashes the properties of all indexes.
    public func hash(into hasher: inout Hasher) { hasher.combine(indices.map(\.keyPaths)) }

    /// The declaration.
    public var debugDescription: String {
      let names = PropertyNames<T>()
      let lists = indices.map { index in
        let list = names.description(index.keyPaths)
        if case .rtree = index { return ".rtree(\(list))" }
        return list
      }
      return "#Index<\(Schema.entityName(for: T.self))>(\(lists.joined(separator: ", ")))"
    }
  }
}

extension Schema.Index: KeyPathLists {
  var indexKeyPaths: [[AnyKeyPath]] {
    indices.compactMap { if case .binary(let keyPaths) = $0 { keyPaths } else { nil } }
  }

  var rtreeKeyPaths: [[AnyKeyPath]] {
    indices.compactMap { if case .rtree(let keyPaths) = $0 { keyPaths } else { nil } }
  }
}

/// An index as a file has it.
private struct NamedIndex: Codable {
  let properties: [String]
  let isRTree: Bool
}
