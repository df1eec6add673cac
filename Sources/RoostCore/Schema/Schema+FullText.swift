extension Schema {
  /// The full-text indexes of a model type, as `#FullText` declares them.
  public final class FullText<T>: SchemaProperty, CustomDebugStringConvertible where T: PersistentModel {
    /// The name of the declaration.
    public var name = "FullText"
    /// The same as ``name``, unless set.
    public var originalName = "FullText"
    /// The model type, unless set.
    public var valueType: any Any.Type = T.self
    /// False: an index leaves equal values alone.
    public var isUnique: Bool { false }
    /// The lists of properties that have an index together.
    public let indices: [[PartialKeyPath<T>]]
    /// How texts are taken apart.
    public let tokenizer: FullTextTokenizer

    /// Makes one index for each list of properties.
    public init(_ indices: [PartialKeyPath<T>]..., tokenizer: FullTextTokenizer = .unicode61) {
      (self.indices, self.tokenizer) = (indices, tokenizer)
    }

    /// Reads indexes that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` when the model has no such properties any more.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let names = PropertyNames<T>()
      indices = try container.decode([[String]].self, forKey: .indices).map {
        try names.keyPaths($0, codingPath: container.codingPath)
      }
      tokenizer = try container.decode(FullTextTokenizer.self, forKey: .tokenizer)
    }

    /// Writes the properties' names and the tokenizer.
    ///
    /// - Throws: `EncodingError` when a key path names no persisted property.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let names = PropertyNames<T>()
      try container.encode(indices.map { try names.names($0, codingPath: encoder.codingPath) }, forKey: .indices)
      try container.encode(tokenizer, forKey: .tokenizer)
    }

    private enum CodingKeys: CodingKey {
      case indices, tokenizer
    }

    /// Whether both have the same indexes in the same order, and the same tokenizer.
    public static func == (lhs: FullText<T>, rhs: FullText<T>) -> Bool {
      lhs.indices == rhs.indices && lhs.tokenizer == rhs.tokenizer
    }

    /// Hashes the properties of all indexes.
    public func hash(into hasher: inout Hasher) { hasher.combine(indices) }

    /// The declaration.
    public var debugDescription: String {
      let lists = indices.map(PropertyNames<T>().description)
      let arguments = lists + (tokenizer == .unicode61 ? [] : ["tokenizer: \(tokenizer.debugDescription)"])
      return "#FullText<\(Schema.entityName(for: T.self))>(\(arguments.joined(separator: ", ")))"
    }
  }
}

extension Schema.FullText: KeyPathLists {
  var fullTextKeyPaths: [[AnyKeyPath]] { indices }
  var fullTextTokenizer: FullTextTokenizer { tokenizer }
}
