extension Schema {
  /// What a save does with a new model whose unique value a row has already.
  public enum UniquenessPolicy: String, Codable, Hashable, Sendable {
    /// The row takes over the new model's values, and the new model stands for it.
    case upsert
    /// The row stays as it is, and the new model stands for it.
    case keepExisting
    /// The save throws ``SwiftDataError/modelValidationFailure``, which names both.
    case reject
  }
}
