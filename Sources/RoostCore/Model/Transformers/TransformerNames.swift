internal import Synchronization

/// The transformers that programs have given names.
enum TransformerNames {
  private static let known = Mutex<[String: any AttributeTransformer.Type]>([:])

  static func register(_ transformer: any AttributeTransformer.Type, as name: String) {
    known.withLock { $0[name] = transformer }
  }

  static func transformer(_ name: String) -> (any AttributeTransformer.Type)? { known.withLock { $0[name] } }
}

/// The name in `.transformable(by: "name")`, as a type.
@_documentation(visibility: private)
public protocol _TransformerName: SendableMetatype {
  static var name: String { get }
}
