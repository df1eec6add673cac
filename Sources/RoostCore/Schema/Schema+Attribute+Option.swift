#if canImport(Darwin)
  public import Foundation
#endif

extension Schema.Attribute {
  /// How an attribute is kept.
  public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
    private enum Code: String, Codable {
      case unique, transformable, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral, spotlight
      case codable
    }

    private let code: Code
    /// The name of the value transformer of ``transformable(by:)-(String)``.
    package let transformerName: String?

    private init(_ code: Code, transformerName: String? = nil) {
      self.code = code
      self.transformerName = transformerName
    }

    /// No two models may have the same value: a second one inserted updates the first.
    public static var unique: Option { Option(.unique) }

    #if canImport(Darwin)
      /// The value is stored as a value transformer makes it.
      public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
        Option(.transformable, transformerName: NSStringFromClass(transformerType))
      }
    #endif

    /// The value is stored as the value transformer of that name makes it.
    public static func transformable(by transformerName: String) -> Option {
      Option(.transformable, transformerName: transformerName)
    }

    /// Large values are kept in files beside the store's.
    public static var externalStorage: Option { Option(.externalStorage) }

    /// The value is stored encrypted by CloudKit. Kept, but of no effect.
    public static var allowsCloudEncryption: Option { Option(.allowsCloudEncryption) }

    /// The history keeps the value of a deleted model.
    public static var preserveValueOnDeletion: Option { Option(.preserveValueOnDeletion) }

    /// Changes are tracked, but the value is not written to the store.
    public static var ephemeral: Option { Option(.ephemeral) }

    /// The value is indexed by Spotlight. Kept, but of no effect off Apple platforms.
    public static var spotlight: Option { Option(.spotlight) }

    /// The value is stored in the form that its own `Codable` conformance gives it, opaque to predicates and sorting.
    public static var codable: Option { Option(.codable) }

    /// The option as written in code.
    public var debugDescription: String {
      transformerName.map { ".transformable(by: \"\($0)\")" } ?? ".\(code.rawValue)"
    }
  }
}
