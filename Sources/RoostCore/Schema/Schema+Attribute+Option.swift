#if canImport(Darwin)
  public import Foundation
#endif

extension Schema.Attribute {
  /// How an attribute is kept.
  public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
    private enum Code: String, Codable {
      case unique, transformable, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral, spotlight
      case codable, fullText, merge, localOnly
    }

    private let code: Code
    /// The name of the value transformer of ``transformable(by:)-(String)``.
    package let transformerName: String?
    /// What ``unique(onConflict:)`` was given.
    package let uniquenessPolicy: Schema.UniquenessPolicy?
    /// What ``fullText(tokenizer:)`` was given.
    package let fullTextTokenizer: FullTextTokenizer?
    /// What ``merge(_:)`` was given.
    package let mergeRule: Schema.AttributeMerge?

    private init(
      _ code: Code, transformerName: String? = nil, uniquenessPolicy: Schema.UniquenessPolicy? = nil,
      fullTextTokenizer: FullTextTokenizer? = nil, mergeRule: Schema.AttributeMerge? = nil
    ) {
      self.code = code
      self.transformerName = transformerName
      self.uniquenessPolicy = uniquenessPolicy
      self.fullTextTokenizer = fullTextTokenizer
      self.mergeRule = mergeRule
    }

    /// No two models may have the same value: a second one inserted updates the first.
    ///
    /// Values are the same if the store keeps the same bytes. Two strings that predicates call equal, such as "é" as
    /// one character and as a letter with an accent, are two values: give both one form before you insert them, with
    /// `precomposedStringWithCanonicalMapping`.
    public static var unique: Option { Option(.unique) }

    /// No two models may have the same value.
    ///
    /// ```swift
    /// @Attribute(.unique(onConflict: .reject)) var isbn: String
    /// ```
    /// - Parameter policy: what the save of a second model with the value does.
    /// - Returns: the option, equal to ``unique`` for `.upsert`.
    public static func unique(onConflict policy: Schema.UniquenessPolicy) -> Option {
      Option(.unique, uniquenessPolicy: policy == .upsert ? nil : policy)
    }

    /// Whether it is ``unique`` or ``unique(onConflict:)``.
    package var isUnique: Bool { code == .unique }

    #if canImport(Darwin)
      /// The value is stored as a value transformer makes it.
      public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
        Option(.transformable, transformerName: NSStringFromClass(transformerType))
      }
    #endif

    /// The value is stored as the transformer makes it, opaque to predicates and sorting.
    public static func transformable<Transformer: AttributeTransformer>(by transformerType: Transformer.Type) -> Option
    {
      Option(.transformable, transformerName: String(reflecting: transformerType))
    }

    /// The value is stored as the transformer makes it that ``AttributeTransformer/register(as:)`` gave that name.
    ///
    /// A container of a model that names a transformer which is not registered is not made.
    public static func transformable(by transformerName: String) -> Option {
      Option(.transformable, transformerName: transformerName)
    }

    /// Values above 100 KiB are kept in files beside the store's, and read when the property is first asked for.
    ///
    /// For `Data`, `String` and `Codable` values; others are small. A query can only ask whether the property is nil.
    /// The files are in a folder with the store's name and "-files" behind it, go with their rows, and are not there
    /// for stores in memory. A value whose file is gone, or which was not read before its row was deleted, reads as the
    /// property's default or its type's empty value, and the log has the reason. The limit is a setting:
    /// ``ModelConfiguration/StoreOptions/externalStorageThreshold``.
    public static var externalStorage: Option { Option(.externalStorage) }

    /// The value is stored encrypted by CloudKit. Kept, but of no effect.
    public static var allowsCloudEncryption: Option { Option(.allowsCloudEncryption) }

    /// The history keeps the value of a deleted model.
    public static var preserveValueOnDeletion: Option { Option(.preserveValueOnDeletion) }

    /// Changes are tracked, but the value is not written to the store.
    ///
    /// A model that is fetched has the property's default, or its type's empty value; queries cannot ask for it.
    public static var ephemeral: Option { Option(.ephemeral) }

    /// The value is indexed by Spotlight. Kept, but of no effect off Apple platforms.
    public static var spotlight: Option { Option(.spotlight) }

    /// The value is stored in the form that its own `Codable` conformance gives it, opaque to predicates and sorting.
    public static var codable: Option { Option(.codable) }

    /// The words of the string have an index, for `matches` in predicates and for `ModelContext.search`.
    ///
    /// An index of several properties is declared with `#FullText`.
    public static var fullText: Option { fullText(tokenizer: .unicode61) }

    /// The string has a full-text index that takes it apart in another way.
    ///
    /// ```swift
    /// @Attribute(.fullText(tokenizer: .trigram)) var name: String
    /// ```
    /// - Parameter tokenizer: what the index has of the string: words, stems of words, or
    ///   all parts of three characters.
    /// - Returns: the option, equal to ``fullText`` for `.unicode61`.
    public static func fullText(tokenizer: FullTextTokenizer) -> Option {
      Option(.fullText, fullTextTokenizer: tokenizer)
    }

    /// What becomes of the attribute when two devices change it, neither knowing of the other.
    ///
    /// ```swift
    /// @Attribute(.merge(.counter)) var stars: Int
    /// ```
    /// Of effect in stores that are synced, with `RoostSync`.
    /// - Parameter rule: how both changes become one value.
    /// - Returns: the option.
    public static func merge(_ rule: Schema.AttributeMerge) -> Option { Option(.merge, mergeRule: rule) }

    /// The value stays on this device: it is no part of what is synced.
    public static var localOnly: Option { Option(.localOnly) }

    /// The option as written in code.
    public var debugDescription: String {
      if let uniquenessPolicy { return ".unique(onConflict: .\(uniquenessPolicy))" }
      if let fullTextTokenizer, fullTextTokenizer != .unicode61 {
        return ".fullText(tokenizer: \(fullTextTokenizer.debugDescription))"
      }
      if let mergeRule { return ".merge(.\(mergeRule))" }
      return transformerName.map { ".transformable(by: \"\($0)\")" } ?? ".\(code.rawValue)"
    }
  }
}
