public import Foundation

#if !canImport(Darwin)
  extension Foundation.Predicate: @retroactive EncodableWithConfiguration {
    /// Encodes the predicate, as far as its key paths and the types of its values are on the configuration's list.
    ///
    /// - Throws: `EncodingError` for any other, and for a captured model.
    public func encode(to encoder: any Encoder, configuration: PredicateCodableConfiguration) throws {
      try PredicateWriter(configuration).archive(PredicateBody(self)).encode(to: encoder)
    }
  }

  extension Foundation.Predicate: @retroactive DecodableWithConfiguration {
    /// Decodes a predicate, which may have no other key paths and types of values than are on the configuration's list.
    ///
    /// - Throws: `DecodingError` for others, and for what is no predicate about these models.
    public init(from decoder: any Decoder, configuration: PredicateCodableConfiguration) throws {
      let body = try ArchivedBody(from: decoder)
      let reader = PredicateReader(configuration)
      var failure: (any Error)?
      self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
        var inputs: [PredicateReader.Node] = []
        for variable in repeat each variable { inputs.append(variable) }
        do { return try reader.decoded(reader.body(body, given: inputs), as: Bool.self) } catch { failure = error }
        return PredicateExpressions.Value(false)
      }
      if let failure { throw failure }
    }
  }
#endif
